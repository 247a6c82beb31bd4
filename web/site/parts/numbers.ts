/** Numbers as pages show them. */

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
const decimal = new Intl.NumberFormat('en', { maximumFractionDigits: 2 })
const percent = new Intl.NumberFormat('en', { style: 'percent', minimumFractionDigits: 2, maximumFractionDigits: 2 })

export const wholeOf = (value: number): string => whole.format(value)
export const decimalOf = (value: number): string => decimal.format(value)
/** Of a share, such as 0.9312. */
export const percentOf = (share: number): string => percent.format(share)
/** Minutes and seconds, such as 2:05. */
export const lengthOf = (seconds: number | null): string =>
  seconds === null ? '–' : `${Math.floor(seconds / 60)}:${String(Math.round(seconds) % 60).padStart(2, '0')}`
const mebibyte = 1024 ** 2
/** Such as `1.25 MB`, or `12 KB` of what is small. */
export const sizeOf = (bytes: number): string =>
  bytes < mebibyte / 10 ? `${whole.format(Math.ceil(bytes / 1024))} KB` : megabytes(bytes)
/** Such as `1.25 MB`. */
export const megabytes = (bytes: number): string => `${decimal.format(bytes / mebibyte)} MB`
