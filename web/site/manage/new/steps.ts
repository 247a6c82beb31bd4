export const steps = ['name', 'dates', 'teams', 'look', 'review'] as const
export type StepName = (typeof steps)[number]

const longestId = 60

/** A short id from a name: its letters and digits, with hyphens between words. */
export function idOf(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, longestId)
    .replace(/^-+|-+$/g, '')
}

/** Other ids for one that is taken. */
export function proposalsFor(id: string, year: number): readonly string[] {
  const root = id.replace(/-(?:\d{1,4}|open)$/, '')
  const number = Number(/-(\d{1,3})$/.exec(id)?.[1] ?? 1)
  return [...new Set([`${root}-${year}`, `${root}-${number + 1}`, `${root}-open`, `${root}-${year + 1}`])].filter(
    (each) => each !== id,
  )
}
