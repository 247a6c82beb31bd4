export const hourMs = 3_600_000

/** Reads of the next hours begin at a full hour, so that readers share an answer. */
export const fullHour = (): number => Math.floor(Date.now() / hourMs) * hourMs

export const instant = (ms: number): string => new Date(ms).toISOString()
