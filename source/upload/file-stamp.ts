import type {BigIntStats} from 'node:fs';

/**
 * What tells one state of a file from another without reading it: size, time of change to the nanosecond, and which
 * file it is. Whoever sets the modification time back still moves the other.
 */
export function stampOf({size, mtimeNs, ctimeNs, ino}: BigIntStats): string {
	return [size, mtimeNs, ctimeNs, ino].join(':');
}
