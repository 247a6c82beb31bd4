import { formatInstant } from '../../../core/time.ts'
import type { JudgedTeam } from '../../teams/registration/queries.ts'
import { refusalMessage, registrationState } from '../../teams/registration/rules/eligibility.ts'
import type { Eligibility } from '../../teams/registration/types.ts'
import { mainChannel } from '../chatDeliveries/types.ts'
import { datesOutOfOrder } from '../tournaments/rules/dates.ts'
import type { Tournament } from '../tournaments/types.ts'
import type { DivisionFacts } from './store/facts.ts'
import type {
  FailedAnnouncement,
  FailedDelivery,
  FaultyMatch,
  Finding,
  FindingCode,
  MatchFault,
  Named,
  QualifierFacts,
  Subject,
} from './types.ts'

/** The rules of what an organiser should look at. (additions: Health) */

type Rule = (tournament: Tournament, now: Date) => Finding[]

export const isActive = ({ status }: Pick<Tournament, 'status'>) => status === 'approved' || status === 'ongoing'

function subjectOf({ guid, name }: Tournament): Subject {
  return { kind: 'tournament', guid, name }
}

function about(kind: Subject['kind'], { guid, name }: Named): Subject {
  return { kind, guid, name }
}

/** Only rows that are older than the rule for changes can be out of order. (additions: Tournament record) */
const checkOrder: Rule = (tournament) => {
  const pair = datesOutOfOrder(tournament)
  if (pair === null) return []
  const message = `"${pair[0]}" is after "${pair[1]}".`
  return [{ code: 'dates.out_of_order', subject: subjectOf(tournament), message }]
}

/** A tournament that everybody sees has a start, and public registration an end. */
const checkDates: Rule = (tournament) => {
  if (tournament.status !== 'approved') return []
  const missing = [
    ...(tournament.startsAt === null ? ['The tournament has no "startsAt".'] : []),
    ...(tournament.publicRegistration && tournament.registrationClosesAt === null && tournament.startsAt === null
      ? ['Registration has no "registrationClosesAt", and stays open.']
      : []),
  ]
  return missing.map((message) => ({ code: 'dates.missing', subject: subjectOf(tournament), message }))
}

/** The status does not follow the dates by itself, so somebody has to change it. (D25) */
const checkStatus: Rule = (tournament, now) => {
  const { status, startsAt, endsAt } = tournament
  const subject = subjectOf(tournament)
  if (status === 'approved' && startsAt !== null && startsAt < now) {
    const message = `The tournament was to begin at ${formatInstant(startsAt)}, and is not ongoing.`
    return [{ code: 'status.behind', subject, message }]
  }
  if (status === 'ongoing' && endsAt !== null && endsAt < now) {
    const message = `The tournament was to end at ${formatInstant(endsAt)}, and is not completed.`
    return [{ code: 'status.behind', subject, message }]
  }
  return []
}

export function findingsOfTournament(tournament: Tournament, now: Date): Finding[] {
  return [checkOrder, checkDates, checkStatus].flatMap((check) => check(tournament, now))
}

/** A held tournament without a delay hides nothing. (V3) */
export function findingsOfHorizon(tournament: Tournament, horizon: { readonly seconds: number } | null): Finding[] {
  if (horizon === null || horizon.seconds > 0) return []
  const message = 'Results are to be held back, and neither the tournament nor a channel has a delay.'
  return [{ code: 'spoilers.no_delay', subject: subjectOf(tournament), message }]
}

/** The codes of failures that are told apart, or that say nothing about the team. */
const apart: ReadonlySet<string> = new Set(['field.unanswered', 'ranking.unreachable'])

/**
 * A team with a place is found if it would not get that place again by the rules of registration. Unanswered fields are
 * told apart, since an organiser may have added them later. That a ranking platform could not be asked says nothing
 * about the team. (additions: Health)
 */
export function findingsOfTeam({ entry: { team }, eligibility }: JudgedTeam): Finding[] {
  const subject = about('team', team)
  const failed = without(eligibility)
  const isIneligible = failed.team.failures.length + failed.players.flatMap(({ failures }) => failures).length > 0
  const asked = eligibility.requiredFields.length
  return [
    ...(isIneligible ? [{ code: 'team.ineligible', subject, message: refusalMessage(failed) } as const] : []),
    ...(asked > 0
      ? [
          {
            code: 'field.unanswered',
            subject,
            message: `“${team.name}” has not answered ${asked === 1 ? 'a required field' : `${asked} required fields`}.`,
          } as const,
        ]
      : []),
  ]
}

function without(eligibility: Eligibility): Eligibility {
  const kept = (failures: Eligibility['team']['failures']) => failures.filter(({ code }) => !apart.has(code))
  return {
    ...eligibility,
    team: { failures: kept(eligibility.team.failures) },
    players: eligibility.players.map(({ userGuid, failures }) => ({ userGuid, failures: kept(failures) })),
  }
}

/** When registration is over, every division needs a bracket. (additions: Health) */
export function findingsOfDivisions(
  tournament: Tournament,
  registered: number,
  { hasAny, withoutBracket }: DivisionFacts,
  now: Date,
): Finding[] {
  if (registrationState({ tournament, registered, now }) !== 'closed' || registered < 2) return []
  if (!hasAny) {
    const message = 'Registration is closed, and there is no division with a bracket yet.'
    return [{ code: 'division.no_bracket', subject: subjectOf(tournament), message }]
  }
  return withoutBracket.map((division) => ({
    code: 'division.no_bracket',
    subject: about('division', division),
    message: `Registration is closed, and “${division.name}” has no bracket yet.`,
  }))
}

const faults: Readonly<Record<MatchFault, string>> = {
  'match.outside_dates': 'outside of the dates of the tournament',
  'match.before_feeder': 'no later than a match that decides who plays in it',
  'match.late': 'more than 15 minutes ago, and has not begun',
}

export function findingOfMatch({ fault, guid, number, division, scheduledAt }: FaultyMatch): Finding {
  const name = `Match ${number}, ${division}`
  return {
    code: fault,
    subject: { kind: 'match', guid, name },
    message: `${name} is scheduled for ${formatInstant(scheduledAt)}: ${faults[fault]}.`,
  }
}

export function findingsOfQualifier({ guid, closesAt, firstMatchAt, lastError }: QualifierFacts): Finding[] {
  const subject: Subject = { kind: 'qualifier', guid, name: 'Qualifier' }
  const isLate = closesAt !== null && firstMatchAt !== null && closesAt > firstMatchAt
  return [
    ...(isLate
      ? [
          {
            code: 'qualifier.closes_late',
            subject,
            message: `The qualifier closes at ${formatInstant(closesAt)}, after the first match at ${formatInstant(firstMatchAt)}.`,
          } as const,
        ]
      : []),
    ...(lastError === null
      ? []
      : [
          { code: 'qualifier.sync_failed', subject, message: `The last synchronisation failed: ${lastError}` } as const,
        ]),
  ]
}

export function findingOfSheet(sheet: Named): Finding {
  return {
    code: 'sheet.overdue',
    subject: about('availability_sheet', sheet),
    message: `“${sheet.name}” is open, although all that it asks for is over.`,
  }
}

export function findingOfDelivery({ updateGuid, title, status, error }: FailedDelivery): Finding {
  const what = status === 'failed' ? 'did not reach the chat channel' : 'was not removed from the chat channel'
  return {
    code: 'delivery.failed',
    subject: about('update', { guid: updateGuid, name: title }),
    message: `“${title}” ${what}${error === null ? '.' : `: ${error}`}`,
  }
}

export function findingOfAnnouncement(tournament: Tournament, { channel, error }: FailedAnnouncement): Finding {
  const where = channel === mainChannel ? 'the chat channel' : `the chat channel “${channel}”`
  return {
    code: 'announcement.failed',
    subject: subjectOf(tournament),
    message: `The last announcement did not reach ${where}${error === null ? '.' : `: ${error}`}`,
  }
}

/** At most this many findings of a code are listed one by one. */
export const maxOfCode = 50

/**
 * Errors come first, and findings of one code together. Of a code with more findings than the list has, the last one says
 * that there are more.
 */
export function arrange(
  tournament: Tournament,
  findings: readonly Finding[],
  severityOf: (code: FindingCode) => string,
): Finding[] {
  const groups = [...Map.groupBy(findings, ({ code }) => code)]
  const errors = groups.filter(([code]) => severityOf(code) === 'error')
  const others = groups.filter(([code]) => severityOf(code) !== 'error')
  return [...errors, ...others].flatMap(([code, group]) => {
    if (group.length <= maxOfCode) return group
    const more = { code, subject: subjectOf(tournament), message: 'There are more of these.' }
    return [...group.slice(0, maxOfCode), more]
  })
}
