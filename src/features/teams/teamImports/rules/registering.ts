import { readAnswers } from '../../registration/rules/answers.ts'
import { checkEligibility, refusalMessage } from '../../registration/rules/eligibility.ts'
import type { Player } from '../../registration/types.ts'
import type { FieldAnswer, Team } from '../../teams/types.ts'
import type { Existing, PlannedTeam, SheetRow } from '../types.ts'
import { RowError } from './people.ts'

/**
 * Adds the row's answers, and the registration that it asks for. A team that cannot be registered yet is entered
 * nevertheless, with a note that says why. (additions: People who are not here yet)
 */
export function planRegistration(row: SheetRow, team: PlannedTeam, existing: Existing): PlannedTeam {
  const { tournament, standing, now } = existing
  const { answers, concerns } = readAnswers(tournament.additionalFields, [], row.answers)
  const [concern] = concerns
  if (concern !== undefined) throw new RowError(concern.failure.message)
  const stored = existing.answers.get(team.guid) ?? []
  const changed = answers.filter((answer) => !stored.some((each) => isSame(each, answer)))
  const isRegistered = team.found !== null && team.found.status !== 'unregistered'
  if (!row.register || isRegistered) return { ...team, answers: changed }
  const verdict = checkEligibility({
    tournament,
    standing,
    now,
    stored,
    registered: existing.registered,
    team: shapeOf(team),
    players: playersOf(team, existing),
    findings: new Map(),
    given: row.answers,
    waiver: row.waiver ?? undefined,
  })
  const { eligible } = verdict.eligibility
  const notes = eligible ? [] : [`Not registered: ${refusalMessage(verdict.eligibility)}`]
  return { ...team, answers: changed, registers: eligible, notes: [...team.notes, ...notes] }
}

function isSame(one: FieldAnswer, other: FieldAnswer): boolean {
  return one.fieldGuid === other.fieldGuid && one.userGuid === other.userGuid && one.response === other.response
}

/** What the checks look at. */
function shapeOf({ name, found }: PlannedTeam): Team {
  return { ...found, name, status: found?.status ?? 'unregistered', withdrawnAt: found?.withdrawnAt ?? null } as Team
}

function playersOf({ found, placeholders, joins }: PlannedTeam, { players }: Existing): Player[] {
  const guids = [...(found?.members ?? []).map(({ userGuid }) => userGuid), ...joins]
  return [
    ...guids.map((guid) => players.get(guid)).filter((player) => player !== undefined),
    ...placeholders.map(({ guid, name }) => ({ ...unknownPlayer, userGuid: guid, name })),
  ]
}

const unknownPlayer: Omit<Player, 'userGuid' | 'name'> = {
  chatPlatformId: '',
  isGone: false,
  isPlaceholder: true,
  emailVerified: false,
  country: null,
  links: [],
}
