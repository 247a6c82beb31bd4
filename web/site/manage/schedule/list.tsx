import { words } from '../../data/words.ts'
import { SideName } from '../../parts/match.tsx'
import { Instant } from '../../parts/time.tsx'
import { Clashes } from './clash-words.tsx'
import type { Day } from './days.ts'
import { Marks, type ShownPlan } from './grid.tsx'
import { OpenMatch } from './match-link.tsx'
import styles from './schedule.module.css'

/** One day as a list: what phones and paper get. */
export function List({ day, shown }: { readonly day: Day; readonly shown: ShownPlan }) {
  const { plan, clashes, isPinned, open, isMoved } = shown
  return (
    <table className={`table ${styles.list}`}>
      <caption className="unseen">{day.day}</caption>
      <thead>
        <tr>
          <th scope="col">{words('schedule.time')}</th>
          <th scope="col">{words('match.number')}</th>
          <th scope="col">{words('plan.sides')}</th>
          <th scope="col">{words('plan.channel')}</th>
          <th scope="col" className={styles.side}>
            {words('match.officials')}
          </th>
          <th scope="col">{words('plan.notes')}</th>
        </tr>
      </thead>
      <tbody>
        {day.matches.map((match) => {
          const wrong = clashes.get(match.guid) ?? []
          return (
            <tr key={match.guid} className={open === match.guid ? styles.chosen : ''}>
              <td className={styles.when}>
                <Instant at={match.scheduledAt as string} as="time" zone={plan.zone} />
              </td>
              <td className="code">{plan.codeOf(match)}</td>
              <th scope="row" className={styles.sides}>
                <OpenMatch match={match} isOpen={open === match.guid}>
                  {match.sides.map((side, at) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: a match has two sides, in a fixed order
                    <SideName key={at} side={side} />
                  ))}
                  <span className="small muted">{shown.plan.roundOf(match)}</span>
                </OpenMatch>
              </th>
              <td className={styles.channel}>
                {match.streamUrl !== null && <bdi>{channelName(match.streamUrl, shown)}</bdi>}
              </td>
              <td className={`muted ${styles.side}`}>
                {match.officials.length > 0 && (
                  <bdi>{match.officials.map(({ user }) => user.preferredName).join(', ')}</bdi>
                )}
              </td>
              <td className={styles.notes}>
                <Marks wrong={[]} isPinned={isPinned(match.guid)} isMoved={isMoved && open === match.guid} />
                {wrong.length > 0 && <Clashes of={wrong} zone={plan.zone} />}
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

const channelName = (url: string, { plan }: ShownPlan) =>
  plan.channelByUrl.get(url)?.name ?? words('plan.other-channel')
