/**
 * The only module that knows the wire format. It is loaded with the first connection, because its tables need memory.
 * (AS32)
 */
export { decodingOnce } from './broadcasts.ts'
export { decode, MalformedPacket } from './decode.ts'
export { encode } from './encode.ts'
export { readHook } from './hooks.ts'
