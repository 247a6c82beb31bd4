/** Which addresses are pages of the website, and where messages lead. */

/**
 * Addresses below these are the service's own: the API, pages without script, pages for other websites and for
 * broadcasting programs, files.
 */
const foreign =
  /^\/(api|assets|bridge|device|embed|game|healthz|licences\.txt|media|metrics|overlay|readyz|socket|socket\.io|\.well-known)(\/|$)/

export const isPage = (path: string): boolean => !foreign.test(path)

/** GUIDs of what a message is about. (W24) */
export interface Subject {
  readonly tournamentGuid: string
  readonly matchGuid?: string
  readonly teamGuid?: string
  readonly invitationGuid?: string
  readonly sheetGuid?: string
}

/**
 * A message is short, and names a match by its GUID alone. The page finds it whatever division the address names, and
 * goes on to its own address.
 */
export function addressOf({ tournamentGuid, matchGuid, teamGuid, invitationGuid, sheetGuid }: Subject): string {
  const tournament = `/t/${tournamentGuid}`
  if (matchGuid !== undefined) return `${tournament}/m/main/${matchGuid}`
  if (invitationGuid !== undefined) return '/me'
  if (sheetGuid !== undefined) return `${tournament}/availability/${sheetGuid}`
  return teamGuid === undefined ? tournament : `${tournament}/teams/${teamGuid}`
}
