import { useState } from 'react'
import type { AvailabilitySheet } from '../../../../client/generated.ts'
import { ApiError, address, Unreachable } from '../../data/api.ts'
import { readNow } from '../../data/queries.ts'
import { useTournamentId } from '../../data/tournament.ts'
import { useWrite } from '../../data/writes.ts'
import type { FormState } from '../../parts/form/use-form.ts'
import { useWaiting, type Waiting } from '../../parts/form/use-waiting.ts'
import type { Answers, Status } from './slots.ts'

/** Sends the answers of a team, or of somebody in a role, over the newest ones that the service has. (W10) */

export type Role = AvailabilitySheet['roles'][number]
export type Subject = { readonly team: string } | { readonly role: Role; readonly user: string }

export interface Input {
  readonly status: Status
  readonly otherReason: string | null
  readonly matchGuid?: string
  readonly startsAt?: string
  readonly endsAt?: string
}

interface Options {
  readonly sheet: AvailabilitySheet
  readonly subject: Subject
  readonly form: FormState<Answers>
  /** What is answered by a newer sheet. */
  readonly savedOf: (sheet: AvailabilitySheet) => Answers
  readonly inputsOf: (answers: Answers) => readonly Input[]
}

export interface Answering {
  /** Why the service refused the answers. */
  readonly error: Error | null
  readonly isSending: boolean
  readonly isSaved: boolean
  readonly waiting: Waiting
}

/** Names the answers for the tab. */
export const nameOf = ({ guid }: AvailabilitySheet, subject: Subject): string =>
  `availability-${guid}-${'team' in subject ? subject.team : subject.role}`

/** How often others may be faster before the reader learns that nothing was sent. */
const maxAttempts = 5

/** When the answers of the sheet were given; null if there are none, undefined if the sheet does not tell. */
function submittedAt(sheet: AvailabilitySheet, subject: Subject): string | null | undefined {
  if ('team' in subject)
    return sheet.teamSubmissions.find(({ teamGuid }) => teamGuid === subject.team)?.submittedAt ?? null
  const own = sheet.submissions.find(({ userGuid, role }) => userGuid === subject.user && role === subject.role)
  return own?.submittedAt ?? (sheet.responsesLimited ? undefined : null)
}

type State = 'idle' | 'sending' | 'saved' | Error

export function useAnswering({ sheet, subject, form, savedOf, inputsOf }: Options): Answering {
  const tournament = useTournamentId()
  const at = { tournament, sheet: sheet.guid }
  const own = address('/tournaments/{tournament}/availability/sheets/{sheet}', at)
  const [state, setState] = useState<State>('idle')
  const ofTeam = useWrite(
    'PUT /tournaments/{tournament}/availability/sheets/{sheet}/teams/{team}/responses',
    (known, { teamResponses, teamSubmission }) => {
      const isOther = ({ teamGuid }: { readonly teamGuid: string }) => teamGuid !== teamSubmission.teamGuid
      known.change(own, (before) => ({
        ...before,
        teamResponses: [...before.teamResponses.filter(isOther), ...teamResponses],
        teamSubmissions: [...before.teamSubmissions.filter(isOther), teamSubmission],
      }))
      known.renew('/users/@me/agenda')
    },
  )
  const ofRole = useWrite(
    'PUT /tournaments/{tournament}/availability/sheets/{sheet}/responses',
    (known, { role, responses, submittedAt }) => {
      const userGuid = 'user' in subject ? subject.user : ''
      const isOther = (each: { readonly role: Role; readonly userGuid: string }) =>
        each.role !== role || each.userGuid !== userGuid
      known.change(own, (before) => ({
        ...before,
        responses: [...before.responses.filter(isOther), ...responses],
        submissions: [
          ...before.submissions.filter(isOther),
          ...(submittedAt === null ? [] : [{ role, userGuid, submittedAt }]),
        ],
      }))
      known.renew('/users/@me/agenda')
    },
  )
  const put = (inputs: readonly Input[], over: AvailabilitySheet) => {
    const expected = submittedAt(over, subject)
    const expectation = expected === undefined ? {} : { expectedSubmittedAt: expected }
    if ('role' in subject)
      return ofRole.attempt({ params: at, body: { responses: inputs, role: subject.role, ...expectation } })
    const responses = inputs.map(({ status, startsAt = '', endsAt = '' }) => ({ status, startsAt, endsAt }))
    return ofTeam.attempt({ params: { ...at, team: subject.team }, body: { responses, ...expectation } })
  }
  const send = async (attempts = maxAttempts): Promise<Error | null> => {
    const newest = await readNow(own).catch((failure: Error) => failure)
    if (newest instanceof Error) return newest
    const { values, conflicts } = form.over(savedOf(newest))
    // The reader chooses first: the page shows both by now.
    if (Object.keys(conflicts).length > 0) return new Differing()
    const failure = await put(inputsOf(values), newest)
    // Another device was faster, so its answers are read first.
    if (failure instanceof ApiError && failure.code === 'availability.stale' && attempts > 1) return send(attempts - 1)
    if (failure === null) form.settle(values)
    return failure
  }
  const waiting = useWaiting(nameOf(sheet, subject), async () => {
    setState('sending')
    const failure = await send()
    setState(failure ?? 'saved')
    return failure
  })
  const isRefusal = state instanceof Error && !(state instanceof Unreachable || state instanceof Differing)
  return { error: isRefusal ? state : null, isSending: state === 'sending', isSaved: state === 'saved', waiting }
}

/** Somebody else has answered otherwise meanwhile. */
class Differing extends Error {
  override readonly name = 'Differing'
}
