import { createHash } from 'node:crypto'
import { conflict, missing, type Problem } from '../../../../core/problem.ts'
import { type BadgeImport, badgeLimits, type Imported, type ImportReport } from '../types.ts'

/** Rules for importing badges from ranking platform A. (B7) */

export function unknownImport(): Problem {
  return missing('badge_import.unknown', 'There is no such import.')
}

/** Only one import for all users runs at a time. (B7) @throws Problem `badge_import.running` */
export function checkNoneRuns(running: BadgeImport | undefined): void {
  if (running === undefined) return
  const message = 'Badges of everybody are being brought over already; follow that import.'
  throw conflict('badge_import.running', message, { job: running.guid })
}

/** Badges for a rank or a payment, which say nothing about what the user did. */
const leftOut: ReadonlySet<string> = new Set(['ranker', 'supporter'])

/** All badges are imported except those described as "ranker" or "supporter", in any case. (B7) */
export function isBroughtOver({ description }: { readonly description: string }): boolean {
  return !leftOut.has(description.trim().toLowerCase())
}

/** The digest that recognises a badge: of its picture file and its description. (B7) */
export function digestOf(fileDigest: string, description: string): string {
  return createHash('sha256').update(`${fileDigest}\n${description}`).digest('hex')
}

/** The name is the start of the description, which may be empty on the platform. (badges: Details, 2) */
export function textsOf(description: string): { readonly name: string; readonly description: string } {
  const cut = (most: number) => [...description].slice(0, most).join('').trim()
  return { name: cut(badgeLimits.name) || 'Badge', description: cut(badgeLimits.description) }
}

export const nothingYet: ImportReport = {
  made: 0,
  granted: 0,
  skipped: 0,
  failures: 0,
  failed: [],
  after: null,
  counted: [],
}

/** The maximum number of failed users whose GUIDs are kept. */
const maxNamed = 1_000
/** The maximum number of digests that are kept; more than the platform has badges. */
const maxCounted = 5_000

/** The report after a further step. A dry run makes no badge, but counts each new one once. */
export function advanced(
  report: ImportReport,
  imported: Imported,
  after: string | null,
  dryRun: boolean,
): ImportReport {
  const known = new Set(report.counted)
  const fresh = imported.made.filter(({ digest }) => !known.has(digest))
  return {
    made: report.made + fresh.length,
    granted: report.granted + imported.granted.length,
    skipped: report.skipped + imported.skipped.length,
    failures: report.failures + imported.failed.length,
    failed: [...report.failed, ...imported.failed].slice(0, maxNamed),
    after,
    counted: dryRun ? [...report.counted, ...fresh.map(({ digest }) => digest)].slice(0, maxCounted) : [],
  }
}
