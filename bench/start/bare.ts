import {enableCompileCache} from 'node:module';

// Before the rest is loaded, as the program does it: what is loaded earlier is not cached.
enableCompileCache(process.env.BENCH_COMPILE_CACHE);
await import('./bare-table.tsx');
