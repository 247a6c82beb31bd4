import { conflict } from '../../../../core/problem.ts'
import { formatInstant } from '../../../../core/time.ts'
import type { Tournament } from '../../../tournaments/tournaments/types.ts'
import { withdrawnMessage } from '../../teams/rules/withdrawal.ts'
import type { FieldAnswer, Team } from '../../teams/types.ts'
import type { Eligibility, Failure, Player, RegistrationState, Standing } from '../types.ts'
import { type Concern, findUnanswered, type GivenAnswer, readAnswers, unansweredConcern } from './answers.ts'
import { distinct } from './failures.ts'
import { checkPlayer, type Findings, needsRankings } from './players.ts'

/** Everything that decides whether a team can be registered. */
export interface Candidacy {
  readonly tournament: Tournament
  /** The number of registered teams, including qualified ones. */
  readonly registered: number
  /** null if the caller has no team yet. */
  readonly team: Team | null
  /** The members of the team, or the caller alone. */
  readonly players: readonly Player[]
  readonly findings: Findings
  readonly stored: readonly FieldAnswer[]
  readonly given: readonly GivenAnswer[]
  readonly standing: Standing
  /** Why the requirements are waived for players who have not signed in yet. */
  readonly waiver?: string | undefined
  readonly now: Date
}

export interface Verdict {
  readonly eligibility: Eligibility
  /** The given answers that are valid and can be saved. */
  readonly answers: readonly FieldAnswer[]
}

/**
 * Captains must meet every requirement. Managers of the tournament may register outside the public period and when
 * registration is not public; all other requirements apply to them too. Global managers need to meet no requirement,
 * not even capacity. A team cannot be registered twice, and invalid answers are refused, for all of them.
 * (rest-interface: Team registration, 1; D32, D46)
 */
export function checkEligibility(candidacy: Candidacy): Verdict {
  const { tournament, players, standing, findings, waiver, now, given, stored } = candidacy
  const fields = tournament.additionalFields
  const { answers, concerns } = readAnswers(fields, players, given)
  const isBound = standing !== 'global'
  const unanswered = isBound ? findUnanswered(fields, players, stored, answers) : []
  const all: readonly Concern[] = [...concerns, ...unanswered.map((subject) => unansweredConcern(players, subject))]
  const ofFields = (userGuid: string | null) =>
    distinct(all.filter((concern) => concern.userGuid === userGuid).map(({ failure }) => failure))

  const teamFailures = [
    ...checks[standing].map((check) => check(candidacy)).filter((failure) => failure !== null),
    ...ofFields(null),
  ]
  const verdicts = players.map((player) => ({
    userGuid: player.userGuid,
    failures: [
      ...(isBound ? checkPlayer(tournament.requirements, player, findings, now, waiver) : []),
      ...ofFields(player.userGuid),
    ],
  }))
  return {
    eligibility: {
      eligible: teamFailures.length === 0 && verdicts.every(({ failures }) => failures.length === 0),
      registration: stateOf(candidacy),
      team: { failures: teamFailures },
      players: verdicts,
      requiredFields: [...new Set(unanswered.map(({ field }) => field.guid))],
    },
    answers,
  }
}

/**
 * Whether a team may have its place now: one without a place is judged as an organiser would register it, and one that
 * has a place as if it asked for that place again. So the public period does not matter, and everything else does.
 * (additions: Registration desk)
 */
export function checkPlace(candidacy: Omit<Candidacy, 'given' | 'standing'> & { readonly team: Team }): Eligibility {
  const { team, registered } = candidacy
  const hasPlace = team.status !== 'unregistered'
  const { eligibility } = checkEligibility({
    ...candidacy,
    team: { ...team, status: 'unregistered' },
    registered: hasPlace ? registered - 1 : registered,
    given: [],
    standing: 'manager',
  })
  return { ...eligibility, registration: stateOf(candidacy) }
}

/** The state of the tournament's registration. */
export function stateOf(facts: Pick<Candidacy, 'tournament' | 'registered' | 'now'>): Eligibility['registration'] {
  const { tournament, registered } = facts
  const { registrationOpensAt: opensAt, registrationClosesAt: closesAt, capacity } = tournament
  return { state: registrationState(facts), opensAt, closesAt, capacity, registered }
}

const verdictMs = 600_000

/**
 * When a verdict can change by time alone, so that it has to be made again: when registration opens or closes, and every
 * ten minutes where the age of accounts or the answers of ranking platforms matter. null for never.
 */
export function changesUntil(
  { requirements, registrationOpensAt, registrationClosesAt }: Tournament,
  now: Date,
): Date | null {
  const ages = needsRankings(requirements) || (requirements.chatAccountAgeDays ?? 0) > 0
  const dates = [registrationOpensAt, registrationClosesAt, ages ? new Date(now.getTime() + verdictMs) : null]
  const coming = dates.filter((date) => date !== null).filter((date) => date > now)
  return coming.reduce<Date | null>((first, date) => (first === null || date < first ? date : first), null)
}

/** A sentence for users: the first failure and the number of further ones. */
export function refusalMessage({ team, players }: Eligibility): string {
  const failures = [...team.failures, ...players.flatMap((player) => player.failures)]
  const more = failures.length - 1
  const first = failures[0]?.message ?? 'The team cannot be registered.'
  if (more < 1) return first
  return `${first} ${more === 1 ? 'One more thing stands' : `${more} more things stand`} in the way; see \`eligibility\`.`
}

/**
 * The state of public registration, independent of the viewer. If several states apply, it is the one that is hardest
 * to change.
 */
export function registrationState({
  tournament,
  registered,
  now,
}: Pick<Candidacy, 'tournament' | 'registered' | 'now'>): RegistrationState {
  if (tournament.status !== 'approved' && tournament.status !== 'ongoing') return 'wrong_status'
  if (isFull(tournament, registered)) return 'full'
  if (!tournament.publicRegistration) return 'not_public'
  if (isBeforeOpening(tournament, now)) return 'not_open_yet'
  return isDeadlinePassed(tournament, now) ? 'closed' : 'open'
}

/**
 * Captains can register and unregister from the opening to the deadline, and never after the tournament's start.
 * Opening and deadline may be unset. (rest-interface: Team registration, 1 and 3)
 */
export function isDeadlinePassed(
  { status, registrationClosesAt }: Pick<Tournament, 'status' | 'registrationClosesAt'>,
  now: Date,
): boolean {
  if (status === 'ongoing') return true
  return registrationClosesAt !== null && registrationClosesAt.getTime() <= now.getTime()
}

function isBeforeOpening({ registrationOpensAt }: Tournament, now: Date): boolean {
  return registrationOpensAt !== null && now.getTime() < registrationOpensAt.getTime()
}

/**
 * A team that returns after a withdrawal needs a free place, like a team that registers. The capacity does not bind
 * global managers. (D31, D46, D60)
 * @throws Problem `registration.full`
 */
export function checkPlaceLeft(tournament: Pick<Tournament, 'capacity'>, registered: number, standing: Standing): void {
  if (standing === 'global' || !isFull(tournament, registered)) return
  throw conflict('registration.full', fullMessage(tournament))
}

function fullMessage({ capacity }: Pick<Tournament, 'capacity'>): string {
  return `All ${capacity} places are taken; one becomes free when a team unregisters.`
}

/** Whether all places are taken, by registered and qualified teams. (D31, D46) */
function isFull({ capacity }: Pick<Tournament, 'capacity'>, registered: number): boolean {
  return capacity !== null && registered >= capacity
}

type Check = (candidacy: Candidacy) => Failure | null

/**
 * Teams can be registered while the tournament is approved or ongoing; global managers can register them unless it is
 * cancelled. (D25, D46)
 */
const checkStatus: Check = ({ tournament: { status }, standing }) => {
  const allowed = standing === 'global' ? status !== 'cancelled' : status === 'approved' || status === 'ongoing'
  if (allowed) return null
  const hint = status === 'draft' ? ' before it is approved' : ''
  return {
    code: 'registration.wrong_status',
    message: `The tournament is ${status}; teams cannot be registered${hint}.`,
  }
}

/** A registered team has a place already and needs no free one. (D31, D46) */
const checkCapacity: Check = ({ tournament, registered, team }) => {
  if (!isFull(tournament, registered) || (team !== null && team.status !== 'unregistered')) return null
  return {
    code: 'registration.full',
    message: fullMessage(tournament),
  }
}

/** If registration is not public, only managers register teams. (additions: Tournament record, `publicRegistration`) */
const checkPublic: Check = ({ tournament }) => {
  if (tournament.publicRegistration) return null
  return {
    code: 'registration.not_public',
    message: 'Registration is not public; ask the organiser to register the team.',
  }
}

/** Captains cannot register before the opening. (rest-interface: Team registration, 1) */
const checkOpening: Check = ({ tournament, now }) => {
  const opensAt = tournament.registrationOpensAt
  if (opensAt === null || !isBeforeOpening(tournament, now)) return null
  return { code: 'registration.not_open_yet', message: `Registration opens at ${formatInstant(opensAt)}.` }
}

/** Captains cannot register after the deadline. (rest-interface: Team registration, 1; D47) */
const checkDeadline: Check = ({ tournament, now }) => {
  if (!isDeadlinePassed(tournament, now)) return null
  return {
    code: 'registration.closed',
    message: 'Registration is closed; ask the organiser whether the team can still be registered.',
  }
}

/** A user needs a team to register. (rest-interface: Team registration) */
const checkHasTeam: Check = ({ team }) => {
  if (team !== null) return null
  return { code: 'team.none', message: 'Create a team in this tournament, or join one, before you register.' }
}

/** A team can be registered only once. (D47) */
const checkUnregistered: Check = ({ team }) => {
  if (team === null || team.status === 'unregistered') return null
  return { code: 'team.already_registered', message: `“${team.name}” is registered already.` }
}

/** A withdrawn team cannot be registered by anybody until its withdrawal is taken back. (D60) */
const checkNotWithdrawn: Check = ({ team }) => {
  if (team === null || team.withdrawnAt === null) return null
  return {
    code: 'team.withdrawn',
    message: withdrawnMessage(team),
  }
}

/** The number of members must be within the tournament's team size. (additions: Tournament record, `teamSize`) */
const checkSize: Check = ({ tournament, team, players }) => {
  if (team === null) return null
  const { teamSizeMin, teamSizeMax } = tournament
  const size = `“${team.name}” has ${players.length === 1 ? '1 member' : `${players.length} members`}`
  if (players.length < teamSizeMin) {
    return { code: 'team.too_small', message: `${size}; at least ${teamSizeMin} are needed.` }
  }
  if (players.length > teamSizeMax) {
    return { code: 'team.too_large', message: `${size}; at most ${teamSizeMax} are allowed.` }
  }
  return null
}

const forAll = [checkStatus, checkHasTeam, checkUnregistered, checkNotWithdrawn]
const forManagers = [...forAll, checkSize, checkCapacity]
const forCaptains = [...forManagers, checkPublic, checkOpening, checkDeadline]

/** The checks of tournament and team, by the role of the caller. (rest-interface: Team registration, 1; D46) */
const checks: Readonly<Record<Standing, readonly Check[]>> = {
  global: forAll,
  manager: forManagers,
  captain: forCaptains,
}
