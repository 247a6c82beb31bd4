import type { Pins } from '../../data/pins.ts'
import { words } from '../../data/words.ts'
import { SideName } from '../../parts/match.tsx'
import { fullOf, Instant } from '../../parts/time.tsx'
import { Clashes } from './clash-words.tsx'
import type { Clash } from './clashes.ts'
import type { Plan } from './plan.ts'
import type { Placement } from './proposed.ts'
import styles from './schedule.module.css'

/** The proposed times of a day, each with what the teams say of it and why it is then. */

interface Props {
  readonly day: string
  readonly placements: readonly Placement[]
  readonly plan: Plan
  readonly clashes: ReadonlyMap<string, readonly Clash[]>
  /** GUIDs of the matches that are left out. */
  readonly left: ReadonlySet<string>
  readonly toggle: (guids: readonly string[], isChosen: boolean) => void
  readonly pins: Pins
  /** Whether it can still be applied. */
  readonly isOpen: boolean
}

export function ProposedTable({ day, placements, isOpen, left, toggle, ...common }: Props) {
  const guids = placements.map(({ matchGuid }) => matchGuid)
  return (
    <table className={`table ${styles.list}`}>
      <caption className="unseen">{day}</caption>
      <thead>
        <tr>
          {isOpen && (
            <th scope="col" className={styles.box}>
              <label>
                <span className="unseen">{words('plan.choose-day', { day })}</span>
                <input
                  type="checkbox"
                  checked={guids.every((guid) => !left.has(guid))}
                  onChange={({ target }) => toggle(guids, target.checked)}
                />
              </label>
            </th>
          )}
          <th scope="col">{words('schedule.time')}</th>
          <th scope="col">{words('match.number')}</th>
          <th scope="col">{words('plan.sides')}</th>
          <th scope="col">{words('plan.channel')}</th>
          <th scope="col">{words('plan.why')}</th>
          {isOpen && (
            <th scope="col" className="acts">
              {words('plan.keep')}
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {placements.map((placed) => (
          <Line
            key={placed.matchGuid}
            placed={placed}
            {...common}
            isOpen={isOpen}
            isLeft={left.has(placed.matchGuid)}
            toggle={toggle}
          />
        ))}
      </tbody>
    </table>
  )
}

interface LineProps extends Pick<Props, 'plan' | 'clashes' | 'pins' | 'isOpen' | 'toggle'> {
  readonly placed: Placement
  readonly isLeft: boolean
}

function Line({ placed, plan, clashes, pins, isOpen, isLeft, toggle }: LineProps) {
  const { matchGuid, number, startsAt, stream, officials, reason } = placed
  const match = plan.byGuid.get(matchGuid)
  const before = match?.scheduledAt ?? null
  const wrong = clashes.get(matchGuid) ?? []
  const isPinned = pins.has(matchGuid)
  return (
    <tr className={isLeft ? styles.left : ''}>
      {isOpen && (
        <td className={styles.box}>
          <label>
            <span className="unseen">{words('plan.choose', { number: number ?? 0 })}</span>
            <input type="checkbox" checked={!isLeft} onChange={({ target }) => toggle([matchGuid], target.checked)} />
          </label>
        </td>
      )}
      <td className={styles.when}>
        <Instant at={startsAt} as="time" zone={plan.zone} />
        {before !== null && before !== startsAt && (
          <span className={`small muted ${styles.was}`}>{words('plan.was', { time: fullOf(before, plan.zone) })}</span>
        )}
      </td>
      <td className="code">{number ?? '–'}</td>
      <th scope="row" className={styles.sides}>
        <span className={styles.pair}>
          {match?.sides.map((side, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a match has two sides, in a fixed order
            <SideName key={at} side={side} />
          ))}
          {match !== undefined && <span className="small muted">{plan.roundOf(match)}</span>}
        </span>
      </th>
      <td className={styles.channel}>
        <bdi>{plan.channelByUrl.get(stream)?.name ?? words('plan.no-channel')}</bdi>
        {officials.map(({ user, role }) => (
          <span key={`${user?.guid} ${role}`} className={`small muted ${styles.was}`}>
            <bdi>{user?.preferredName ?? '–'}</bdi>
          </span>
        ))}
      </td>
      <td className={styles.notes}>
        <bdi>{reason}</bdi>
        {wrong.length > 0 && <Clashes of={wrong} zone={plan.zone} />}
      </td>
      {isOpen && (
        <td className={`acts ${styles.keep}`}>
          <button
            type="button"
            className="btn"
            aria-pressed={isPinned}
            aria-label={words(isPinned ? 'plan.unpin-of' : 'plan.pin-of', { number: number ?? 0 })}
            onClick={() => pins.set([matchGuid], !isPinned)}
          >
            {words(isPinned ? 'plan.pinned' : 'plan.pin-short')}
          </button>
        </td>
      )}
    </tr>
  )
}
