declare module '*.css'

declare module 'hls.js/light' {
  export { default } from 'hls.js'
}

/** Functions that the declared library lacks but the oldest supported browser has. (OV20) */
interface Array<T> {
  findLast(predicate: (value: T, index: number, array: T[]) => unknown): T | undefined
}
