import { useMemo } from 'react'
import type { AvailabilityResponse, AvailabilitySheet } from '../../../../client/generated.ts'
import { address } from '../../data/api.ts'
import { useTournamentId } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'
import { useWrite } from '../../data/writes.ts'
import { Form, Save } from '../../parts/form/form.tsx'
import { useForm } from '../../parts/form/use-form.ts'
import { Section } from '../../parts/section.tsx'
import { TeamName } from '../../parts/team.tsx'
import { Instant } from '../../parts/time.tsx'
import styles from './availability.module.css'
import type { Status } from './painter.tsx'
import type { Role } from './slot-answers.tsx'

/** Answers by match, of somebody in a role. */

interface Props {
  readonly sheet: AvailabilitySheet
  readonly role: Role
  readonly given: readonly AvailabilityResponse[]
  readonly isClosed: boolean
}

type Answers = Readonly<Record<string, Status | ''>>

export function MatchAnswers({ sheet, role, given, isClosed }: Props) {
  const tournament = useTournamentId()
  const saved = useMemo(
    () => ({
      answers: Object.fromEntries(
        sheet.matches.map(({ matchGuid }) => [
          matchGuid,
          given.find((each) => each.matchGuid === matchGuid)?.status ?? '',
        ]),
      ) as Answers,
    }),
    [sheet.matches, given],
  )
  const form = useForm({ key: `availability-${sheet.guid}-${role}`, saved })
  const { answers } = form.values
  const respond = useWrite('PUT /tournaments/{tournament}/availability/sheets/{sheet}/responses', (known) => {
    known.renew(address('/tournaments/{tournament}/availability/sheets/{sheet}', { tournament, sheet: sheet.guid }))
    known.renew('/users/@me/agenda')
    form.take()
  })
  const send = () =>
    respond.send({
      params: { tournament, sheet: sheet.guid },
      body: {
        role,
        responses: Object.entries(answers).flatMap(([matchGuid, status]) =>
          status === ''
            ? []
            : [
                {
                  matchGuid,
                  status,
                  otherReason: given.find((each) => each.matchGuid === matchGuid)?.otherReason ?? null,
                },
              ],
        ),
      },
    })
  return (
    <Section title={words('availability.yours')}>
      <Form error={respond.error} isChanged={form.isChanged} onSubmit={send}>
        <ul className="lines">
          {sheet.matches.map(({ matchGuid, match }) => (
            <li key={matchGuid} className={styles.match}>
              <span>
                {words('match.open', { number: match.number })}{' '}
                {match.sides.map(({ team }, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a match has two sides, in a fixed order
                  <span key={at}>{team === null ? words('match.undecided') : <TeamName team={team} />} </span>
                ))}
              </span>
              <span className="muted">
                {match.scheduledAt === null ? (
                  words('match.no-time')
                ) : (
                  <Instant at={match.scheduledAt} zone={sheet.timezone} />
                )}
              </span>
              <select
                className="in"
                aria-label={words('availability.for-match', { number: match.number })}
                disabled={isClosed}
                value={answers[matchGuid] ?? ''}
                onChange={({ target }) => form.set('answers', { ...answers, [matchGuid]: target.value as Status | '' })}
              >
                <option value="">{words('availability.unanswered')}</option>
                {sheet.acceptedStatuses.map((status) => (
                  <option key={status} value={status}>
                    {words(`availability.${status}`)}
                  </option>
                ))}
              </select>
            </li>
          ))}
        </ul>
        {!isClosed && (
          <Save isSending={respond.isSending} isSaved={respond.isDone} isDisabled={!form.isChanged}>
            {words('availability.save')}
          </Save>
        )}
      </Form>
    </Section>
  )
}
