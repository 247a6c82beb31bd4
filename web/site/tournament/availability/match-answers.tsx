import { useMemo, useRef } from 'react'
import type { AvailabilitySheet } from '../../../../client/generated.ts'
import { words } from '../../data/words.ts'
import { Form } from '../../parts/form/form.tsx'
import { useForm } from '../../parts/form/use-form.ts'
import { Section } from '../../parts/section.tsx'
import { TeamName } from '../../parts/team.tsx'
import { Instant } from '../../parts/time.tsx'
import { nameOf, type Role, useAnswering } from './answering.ts'
import styles from './availability.module.css'
import { Differing } from './differing.tsx'
import { Late, Sending } from './sending.tsx'
import { type Answers, answerOf, maxReason, type Status } from './slots.ts'

/** Answers by match, of somebody in a role. */

interface Props {
  readonly sheet: AvailabilitySheet
  readonly subject: { readonly role: Role; readonly user: string }
  readonly isClosed: boolean
}

function answersOf({ matches, responses }: AvailabilitySheet, { role, user }: Props['subject']): Answers {
  const own = responses.filter((each) => each.role === role && each.userGuid === user)
  return Object.fromEntries(
    matches.map(({ matchGuid }) => {
      const given = own.find((each) => each.matchGuid === matchGuid)
      return [matchGuid, given === undefined ? null : answerOf(given.status, given.otherReason)] as const
    }),
  )
}

export function MatchAnswers({ sheet, subject, isClosed }: Props) {
  const form = useForm<Answers>({
    key: nameOf(sheet, subject),
    // biome-ignore lint/correctness/useExhaustiveDependencies: the subject is the same as long as the form is there
    saved: useMemo(() => answersOf(sheet, subject), [sheet]),
  })
  const { values: answers } = form
  const answering = useAnswering({
    sheet,
    subject,
    form,
    savedOf: (newer) => answersOf(newer, subject),
    inputsOf: (of) =>
      Object.entries(of).flatMap(([matchGuid, answer]) =>
        answer === null ? [] : [{ matchGuid, status: answer.status, otherReason: answer.reason?.trim() || null }],
      ),
  })
  const place = useRef<HTMLDivElement>(null)
  const differences = sheet.matches.flatMap(({ matchGuid: key, match }) =>
    key in form.conflicts
      ? [
          {
            keys: [key],
            label: words('schedule.match', { number: match.number }),
            mine: answers[key] ?? null,
            theirs: form.conflicts[key] ?? null,
          },
        ]
      : [],
  )
  const send = () => (differences.length > 0 ? place.current?.focus() : void answering.waiting.send())
  return (
    <Section title={words('availability.yours')}>
      <Form error={answering.error} isChanged={form.isChanged} onSubmit={send}>
        <Late isClosed={isClosed} form={form} />
        <Differing form={form} differences={differences} by={undefined} place={place} />
        <ul className="lines">
          {sheet.matches.map(({ matchGuid, match }) => {
            const answer = answers[matchGuid] ?? null
            return (
              <li key={matchGuid} className={styles.match}>
                <span>
                  {words('schedule.match', { number: match.number })}{' '}
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
                  value={answer?.status ?? ''}
                  onChange={({ target }) =>
                    form.set(
                      matchGuid,
                      target.value === '' ? null : answerOf(target.value as Status, answer?.reason ?? null),
                    )
                  }
                >
                  <option value="">{words('availability.unanswered')}</option>
                  {sheet.acceptedStatuses.map((status) => (
                    <option key={status} value={status}>
                      {words(`availability.${status}`)}
                    </option>
                  ))}
                </select>
                <input
                  className="in"
                  dir="auto"
                  autoComplete="off"
                  maxLength={maxReason}
                  aria-label={words('availability.reason-for-match', { number: match.number })}
                  placeholder={words('availability.reason')}
                  disabled={isClosed || answer === null}
                  value={answer?.reason ?? ''}
                  onChange={({ target }) =>
                    answer !== null && form.set(matchGuid, answerOf(answer.status, target.value))
                  }
                />
              </li>
            )
          })}
        </ul>
        {!isClosed && <Sending answering={answering} isChanged={form.isChanged} />}
      </Form>
    </Section>
  )
}
