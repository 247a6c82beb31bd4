import type { ImportResult, ImportTotals, PlannedRow, PlannedTeam, RowFault, RowResult } from '../types.ts'

/** What an import tells of every row, in the order of the lines. (additions: People who are not here yet) */
export function resultOf(planned: readonly PlannedRow[], faults: readonly RowFault[], dryRun: boolean): ImportResult {
  const rows = [...planned.map((row) => rowOf(row, dryRun)), ...faults.map(rejected)]
  const sorted = rows.toSorted((one, other) => one.line - other.line)
  return { rows: sorted, totals: totalsOf(sorted) }
}

const nothing = { team: null, placeholders: 0, invited: 0, joined: 0, registered: false, notes: [] }

function rejected({ line, teamName, reason }: RowFault): RowResult {
  return { ...nothing, line, teamName, outcome: 'rejected', reason }
}

function rowOf({ line, teamName, team, reason }: PlannedRow, dryRun: boolean): RowResult {
  if (team === null) return rejected({ line, teamName, reason: reason ?? '' })
  const { guid, found, id, name, placeholders, invites, joins, registers, notes } = team
  const isUnmade = found === null && dryRun
  return {
    line,
    teamName,
    outcome: found === null ? 'created' : hasChanges(team) ? 'updated' : 'same',
    reason: null,
    team: isUnmade ? null : { guid, id, name },
    placeholders: placeholders.length,
    invited: invites.length,
    joined: joins.length,
    registered: registers,
    notes,
  }
}

function hasChanges({
  found,
  name,
  seed,
  externalId,
  placeholders,
  invites,
  joins,
  answers,
  registers,
}: PlannedTeam): boolean {
  const isRenamed = found !== null && found.name !== name
  const added = placeholders.length + invites.length + joins.length + answers.length
  return isRenamed || seed !== null || externalId !== found?.externalId || registers || added > 0
}

function totalsOf(rows: readonly RowResult[]): ImportTotals {
  const countOf = (outcome: RowResult['outcome']) => rows.filter((row) => row.outcome === outcome).length
  const sumOf = (member: 'placeholders' | 'invited' | 'joined') => rows.reduce((sum, row) => sum + row[member], 0)
  return {
    created: countOf('created'),
    updated: countOf('updated'),
    same: countOf('same'),
    rejected: countOf('rejected'),
    placeholders: sumOf('placeholders'),
    invited: sumOf('invited'),
    joined: sumOf('joined'),
    registered: rows.filter(({ registered }) => registered).length,
  }
}
