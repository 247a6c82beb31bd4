declare module '*.css'

declare module 'hls.js/light' {
  export { default } from 'hls.js'
}

/** Of what is younger than the library that is declared, what the oldest browser has. (OV20) */
interface Array<T> {
  findLast(predicate: (value: T, index: number, array: T[]) => unknown): T | undefined
}
