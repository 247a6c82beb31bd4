/** Groups rows by team. A team without rows gets an empty list. */
export function byTeam<Row extends { readonly teamGuid: string }>(
  teamGuids: readonly string[],
  rows: readonly Row[],
): ReadonlyMap<string, readonly Row[]> {
  const groups = new Map<string, Row[]>(teamGuids.map((guid) => [guid, []]))
  for (const row of rows) groups.get(row.teamGuid)?.push(row)
  return groups
}
