/** How large packages may be. What makes them needs these numbers, and not the library that reads them. (P6, ADR-39) */

const mib = 1024 * 1024

export const maxPackageBytes = 512 * mib
export const maxUnpackedBytes = 512 * mib
/** Further pictures than this no tournament can have. */
export const maxFiles = 20_000
export const maxRows = 200_000
export const maxLineBytes = mib
