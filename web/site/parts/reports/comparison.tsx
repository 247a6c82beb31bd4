import { Link } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { canChoose, chosen, isOther } from '../../data/reports/answers.ts'
import { discard, sendInstead } from '../../data/reports/sender.ts'
import type { Refusal, Report } from '../../data/reports/types.ts'
import { words } from '../../data/words.ts'
import { Instant } from '../time.tsx'
import styles from './reports.module.css'
import { useTold } from './told.ts'
import { ValuesOf } from './values.tsx'

/** What the reader reports and what the service has, line by line, each to be chosen; then the queue goes on. (W10, W12) */

interface Props {
  readonly report: Report
  readonly refusal: Refusal
  readonly isBusy: boolean
  /** Carries out a choice. */
  readonly act: (work: () => Promise<void>) => void
}

export function Comparison({ report, refusal, isBusy, act }: Props) {
  const id = useId()
  const told = useTold(report)
  const [mine, setMine] = useState<ReadonlySet<string>>(new Set())
  const [reason, setReason] = useState(words('reports.reason'))
  const isCorrection = report.request.params.flowSession !== undefined
  const isFree = canChoose(refusal)
  const choose = (who: string, isMine: boolean) => {
    const next = new Set(mine)
    if (isMine) next.add(who)
    else next.delete(who)
    setMine(next)
  }
  const submit = () =>
    act(async () => {
      const instead = chosen(report, refusal, mine, reason.trim())
      await (instead.length === 0 ? discard(report) : sendInstead(report, instead))
    })
  const name = told === undefined ? words('reports.theirs') : (told.by.preferredName ?? told.by.username)
  return (
    <form
      className={styles.comparison}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <table className={`table ${styles.both}`}>
        <thead>
          <tr>
            <th scope="col">
              <span className="unseen">{words('reports.line')}</span>
            </th>
            <th scope="col">
              {words('reports.yours')} <Instant at={new Date(report.madeAt).toISOString()} as="time" />
            </th>
            <th scope="col">
              <bdi>{name}</bdi> {told !== undefined && <Instant at={told.at} as="time" />}
            </th>
          </tr>
        </thead>
        <tbody>
          {report.lines.map((line, at) => {
            const theirs = refusal.theirs[at] ?? null
            const isOpen = isFree && isOther({ ...report, lines: [line] }, { ...refusal, theirs: [theirs] })
            const choice = (isMine: boolean) => {
              const shown = <ValuesOf of={isMine ? line.values : theirs?.values} />
              if (!isOpen) return shown
              return (
                <label className="choice">
                  <input
                    type="radio"
                    name={`${id} ${line.who}`}
                    aria-label={words(isMine ? 'reports.choose-mine' : 'reports.choose-theirs', { name: line.name })}
                    checked={mine.has(line.who) === isMine}
                    onChange={() => choose(line.who, isMine)}
                  />
                  <span>{shown}</span>
                </label>
              )
            }
            return (
              <tr key={line.who}>
                <th scope="row">
                  <bdi>{line.name}</bdi>
                </th>
                <td>{choice(true)}</td>
                <td>{choice(false)}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
      {isFree && isCorrection && mine.size > 0 && (
        <label className="field">
          <span>{words('reports.why')}</span>
          <input
            className="in"
            required
            maxLength={500}
            value={reason}
            onChange={({ target }) => setReason(target.value)}
          />
        </label>
      )}
      {refusal.isOver && (
        <p>
          {words('reports.over')}{' '}
          <Link
            to="/manage/$tournament/live/$match"
            params={{ tournament: report.tournament, match: report.match }}
            className="plain"
          >
            {words('reports.to-cockpit')}
          </Link>
        </p>
      )}
      <div className="btns">
        {isFree ? (
          <>
            <button type="submit" className="btn" aria-disabled={isBusy}>
              {words(mine.size === 0 ? 'reports.take-theirs' : 'reports.send-chosen')}
            </button>
            {mine.size === 0 && (
              <button
                type="button"
                className="btn"
                aria-disabled={isBusy}
                onClick={() => setMine(new Set(report.lines.map(({ who }) => who)))}
              >
                {words('reports.all-mine')}
              </button>
            )}
          </>
        ) : (
          refusal.theirs.some((each) => each !== null) && (
            <button type="button" className="btn" aria-disabled={isBusy} onClick={() => act(() => discard(report))}>
              {words('reports.take-theirs')}
            </button>
          )
        )}
      </div>
    </form>
  )
}
