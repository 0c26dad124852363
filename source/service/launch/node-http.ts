/**
 * `request` of `node:http`, without importing that module: an import reads every export once, and among Node 24's are
 * lazy ones (WebSocket) that load a whole undici, 15 ms of every start.
 */
export const {request} = process.getBuiltinModule('node:http');
