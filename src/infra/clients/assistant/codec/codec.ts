/** The only place that knows the wire. It is loaded with the first connection, since the tables of the wire cost memory. (AS32) */
export { decodingOnce } from './broadcasts.ts'
export { decode, MalformedPacket } from './decode.ts'
export { encode } from './encode.ts'
export { readHook } from './hooks.ts'
