import { lazy, Suspense, useState } from 'react'
import { words } from '../../data/words.ts'
import { Guarded } from '../../parts/loaded.tsx'
import { lengthOf, wholeOf } from '../../parts/numbers.ts'
import { Section } from '../../parts/section.tsx'
import { State } from '../../parts/state.tsx'
import { timeOf } from '../../parts/time.tsx'
import styles from './live.module.css'
import type { Held, LiveValues, Point } from './live-values.ts'
import { type Index, indexes } from './people.ts'
import { measureOf, shareOf } from './sheets.ts'
import { nameAt, type View } from './view.ts'

/** How the players do while a map is played: the lead and the accuracies over time, and the newest values. */

const Chart = lazy(() => import('./chart.tsx'))

/** Fewer points are no line. */
const leastPoints = 3
const kinds = ['lead', 'accuracy'] as const
export type Kind = (typeof kinds)[number]

export function Live({ view, values }: { readonly view: View; readonly values: LiveValues }) {
  const { points, asOf, song } = values
  const [kind, setKind] = useState<Kind>('lead')
  const game = view.session?.turn?.game ?? view.match.games.length + 1
  return (
    <Section
      title={words('play.live', { game })}
      beside={
        <>
          {asOf !== null && (
            <State shape="problem" tone="warning">
              {words('play.as-of', { time: timeOf(asOf) })}
            </State>
          )}
          <fieldset className="choices" aria-label={words('play.chart-of')}>
            {kinds.map((each) => (
              <button
                key={each}
                type="button"
                className="btn"
                aria-pressed={kind === each}
                onClick={() => setKind(each)}
              >
                {words(`play.chart-${each}`)}
              </button>
            ))}
          </fieldset>
        </>
      }
    >
      <figure className={styles.figure}>
        <Caption view={view} values={values} />
        <div className={styles.box}>
          {points.length < leastPoints ? (
            <p className={styles.few}>{words('play.no-line')}</p>
          ) : (
            <Guarded>
              <Suspense fallback={null}>
                <Chart kind={kind} points={points} seconds={song?.seconds ?? null} sideOf={view.people.sideOf} />
              </Suspense>
            </Guarded>
          )}
          {kind === 'lead' &&
            points.length >= leastPoints &&
            indexes.map((at) => (
              <span key={at} className={`${styles.axis} ${at === 0 ? styles.one : styles.other}`} aria-hidden="true">
                {words('play.leads', { team: nameAt(view, at) })}
              </span>
            ))}
        </div>
      </figure>
      <Values view={view} values={values} />
      {points.length >= leastPoints && <AsTable view={view} points={points} kind={kind} />}
    </Section>
  )
}

function Caption({ view, values: { totals } }: { readonly view: View; readonly values: LiveValues }) {
  const by = measureOf(view)
  if (totals === null) return <figcaption className={styles.caption}>{words('play.no-lead')}</figcaption>
  const [one, two] = totals
  const lead = one - two
  const at: Index = lead < 0 ? 1 : 0
  const shown = (value: number) => (by === 'accuracy' ? shareOf(Math.abs(value)) : wholeOf(Math.abs(value)))
  return (
    <figcaption className={styles.caption}>
      <span>
        <b className={`num ${styles.now} ${lead === 0 ? '' : at === 0 ? styles.one : styles.other}`}>{shown(lead)}</b>{' '}
        {lead === 0 ? words('play.level') : words('play.lead-of', { team: nameAt(view, at) })}
      </span>
      <span className="muted">{words('play.team-values', { one: shown(one), two: shown(two) })}</span>
    </figcaption>
  )
}

/** The players of a side, in the order of its line-up, with their newest values. */
function playersOf({ session, people }: View, { held }: LiveValues, at: Index): readonly Player[] {
  const values = new Map(held.map((each) => [each.user, each]))
  const lineup = (session?.seats[at]?.lineup ?? []).filter((user) => user !== null)
  const others = held.map(({ user }) => user).filter((user) => people.sideOf(user) === at && !lineup.includes(user))
  return [...lineup, ...others].map((user) => ({ user, name: people.nameOf(user) ?? '–', held: values.get(user) }))
}

interface Player {
  readonly user: string
  readonly name: string
  readonly held: Held | undefined
}

function Values({ view, values }: { readonly view: View; readonly values: LiveValues }) {
  const [first, second] = [playersOf(view, values, 0), playersOf(view, values, 1)]
  const rows = Math.max(first.length, second.length)
  const columns = ['accuracy', 'combo', 'misses'] as const
  return (
    <table className={styles.values}>
      <caption className="unseen">{words('play.live-values')}</caption>
      <thead>
        <tr>
          <th scope="col" className={styles.one}>
            <bdi>{nameAt(view, 0)}</bdi>
          </th>
          {columns.map((name) => (
            <th key={name} scope="col" className={`${styles.mine} ${name === 'combo' ? 'only-wide' : ''}`}>
              {words(`play.${name}`)}
            </th>
          ))}
          {columns.toReversed().map((name) => (
            <th key={name} scope="col" className={`${styles.theirs} ${name === 'combo' ? 'only-wide' : ''}`}>
              {words(`play.${name}`)}
            </th>
          ))}
          <th scope="col" className={styles.other}>
            <bdi>{nameAt(view, 1)}</bdi>
          </th>
        </tr>
      </thead>
      <tbody>
        {Array.from({ length: rows }, (_, row) => row).map((row) => (
          <tr key={row}>
            <th scope="row">
              <Name of={first[row]} isMarked={values.asOf === null} />
            </th>
            {columns.map((name) => (
              <Value key={name} of={first[row]} name={name} style={styles.mine ?? ''} />
            ))}
            {columns.toReversed().map((name) => (
              <Value key={name} of={second[row]} name={name} style={styles.theirs ?? ''} />
            ))}
            <td className={styles.end}>
              <Name of={second[row]} isMarked={values.asOf === null} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const states = { playing: null, paused: 'play.paused', failed: 'play.failed', finished: 'play.finished' } as const

/** @param isMarked whether a silent source is shown here; where all are silent, the head of the section shows it */
function Name({ of, isMarked }: { readonly of: Player | undefined; readonly isMarked: boolean }) {
  if (of === undefined) return null
  const state = of.held?.value.state ?? 'playing'
  const word = state === 'disconnected' ? null : states[state]
  return (
    <>
      <bdi>{of.name}</bdi>
      {of.held?.isLost === true && isMarked ? (
        <small className={styles.old}> {words('play.as-of', { time: timeOf(of.held.value.at) })}</small>
      ) : (
        word !== null && <small className="muted"> {words(word)}</small>
      )}
    </>
  )
}

function Value({
  of,
  name,
  style,
}: {
  readonly of: Player | undefined
  readonly name: 'accuracy' | 'combo' | 'misses'
  readonly style: string
}) {
  const value = of?.held?.value[name] ?? null
  const isOld = of?.held?.isLost === true
  const shown = value === null ? (of === undefined ? '' : '–') : name === 'accuracy' ? shareOf(value) : wholeOf(value)
  return (
    <td
      className={`${style} ${name === 'accuracy' ? styles.accuracy : ''} ${name === 'combo' ? 'only-wide' : ''} ${isOld ? styles.old : ''}`}
    >
      {shown}
    </td>
  )
}

/** The chart in numbers: at most ten moments of it. */
function AsTable({
  view,
  points,
  kind,
}: {
  readonly view: View
  readonly points: readonly Point[]
  readonly kind: Kind
}) {
  const step = Math.max(1, Math.ceil(points.length / 10))
  const shown = points.filter((_, at) => (points.length - 1 - at) % step === 0)
  const users = Object.keys(points.at(-1)?.accuracies ?? {})
  return (
    <details className={styles.asTable}>
      <summary>{words(`play.table-${kind}`)}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a table wider than its place is scrolled by keys too */}
      <section className="wide-content" tabIndex={0} aria-label={words(`play.table-${kind}`)}>
        <table className="table">
          <thead>
            <tr>
              <th scope="col">{words('play.time')}</th>
              {kind === 'lead' ? (
                <th scope="col" className="n">
                  {words('play.lead-of-side', { team: nameAt(view, 0) })}
                </th>
              ) : (
                users.map((user) => (
                  <th key={user} scope="col" className="n">
                    <bdi>{view.people.nameOf(user) ?? '–'}</bdi>
                  </th>
                ))
              )}
            </tr>
          </thead>
          <tbody>
            {shown.map(({ at, lead, accuracies }) => (
              <tr key={at}>
                <th scope="row" className="num">
                  {lengthOf(Math.max(0, at))}
                </th>
                {kind === 'lead' ? (
                  <td className="n">{lead === null ? '–' : signed(lead, measureOf(view) === 'accuracy')}</td>
                ) : (
                  users.map((user) => (
                    <td key={user} className="n">
                      {accuracies[user] === undefined ? '–' : shareOf(accuracies[user])}
                    </td>
                  ))
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  )
}

const signed = (lead: number, isShare: boolean): string =>
  `${lead < 0 ? '−' : ''}${isShare ? shareOf(Math.abs(lead)) : wholeOf(Math.abs(lead))}`
