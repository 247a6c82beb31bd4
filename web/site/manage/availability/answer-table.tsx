import type { AvailabilitySheet } from '../../../../client/generated.ts'
import { words } from '../../data/words.ts'
import { Empty } from '../../parts/loaded.tsx'
import { Section } from '../../parts/section.tsx'
import { State } from '../../parts/state.tsx'
import { fullOf, Instant, timeOf } from '../../parts/time.tsx'
import { type Asked, spansOf, sumOf } from './asked.ts'
import styles from './availability.module.css'
import { statuses } from './sheets.ts'

/** The answers of each team, or of each person in a role. */

interface Props {
  readonly sheet: AvailabilitySheet
  readonly asked: readonly Asked[]
  readonly zone: string
}

export function AnswerTable({ sheet, asked, zone }: Props) {
  const isForMatches = sheet.mode === 'matches'
  return (
    <Section title={words('sheets.answers')}>
      {sheet.responsesLimited === true && <p className="notice notice-warning">{words('sheets.limited')}</p>}
      {asked.length === 0 ? (
        <Empty>{words(sheet.audience === 'teams' ? 'sheets.no-teams' : 'sheets.no-staff')}</Empty>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by keys where it is wider than the page
        <section className="wide-content" tabIndex={0} aria-label={words('sheets.answers-table')}>
          <table className={`table ${styles.answers}`}>
            <caption className="unseen">{words(isForMatches ? 'sheets.in-matches' : 'sheets.in-hours')}</caption>
            <thead>
              <tr>
                <th scope="col">{words(sheet.audience === 'teams' ? 'desk.team' : 'sheets.person')}</th>
                <th scope="col">{words('sheets.answered')}</th>
                {statuses.map((status) => (
                  <th key={status} scope="col" className="n">
                    {words(`availability.${status}`)}
                  </th>
                ))}
                <th scope="col">{words('sheets.details')}</th>
              </tr>
            </thead>
            <tbody>
              {asked.map((each) => (
                <Row key={each.key} asked={each} sheet={sheet} zone={zone} />
              ))}
            </tbody>
          </table>
          <p className="small muted">{words(isForMatches ? 'sheets.in-matches' : 'sheets.in-hours')}</p>
        </section>
      )}
    </Section>
  )
}

interface RowProps extends Pick<Props, 'sheet' | 'zone'> {
  readonly asked: Asked
}

function Row({ asked: { name, role, answeredAt, hasAnswered, answers }, sheet, zone }: RowProps) {
  return (
    <tr>
      <th scope="row">
        <bdi>{name}</bdi>
        {role !== null && (
          <span className="small muted"> {words(`role-one.${role.replace('role:', '') as 'referee'}`)}</span>
        )}
      </th>
      <td>
        {!hasAnswered ? (
          <State shape="waiting" tone="warning">
            {words('sheets.unanswered')}
          </State>
        ) : answeredAt === null ? (
          words('form.yes')
        ) : (
          <Instant at={answeredAt} zone={zone} />
        )}
      </td>
      {statuses.map((status) => (
        <td key={status} className="n">
          {hasAnswered ? sumOf(answers, status) : '–'}
        </td>
      ))}
      <td>
        {answers.length > 0 && (
          <details>
            <summary>
              {words('sheets.show')}
              <span className="unseen"> {name}</span>
            </summary>
            <ul className={styles.spans}>{sheet.mode === 'matches' ? inMatches() : inSpans()}</ul>
          </details>
        )}
      </td>
    </tr>
  )

  function inMatches() {
    const numbers = new Map(sheet.matches.map(({ matchGuid, match }) => [matchGuid, match.number]))
    return answers.map(({ match, status, reason }) => (
      <li key={match}>
        {words('schedule.match', { number: numbers.get(match ?? '') ?? 0 })}: {words(`availability.${status}`)}
        {reason !== null && <bdi className="muted"> {reason}</bdi>}
      </li>
    ))
  }

  function inSpans() {
    return spansOf(answers).map(({ status, start, end }) => (
      <li key={start}>
        {fullOf(new Date(start).toISOString(), zone)} – {timeOf(new Date(end).toISOString(), zone)}:{' '}
        {words(`availability.${status}`)}
      </li>
    ))
  }
}
