import { words } from '../../data/words.ts'
import { Section } from '../../parts/section.tsx'
import { Instant } from '../../parts/time.tsx'
import styles from './match.module.css'
import { ownName } from './people.ts'
import { type Corrected, correctionOf } from './rulings.ts'
import type { View } from './view.ts'

/** Corrections of the result, and penalties. */

interface Props {
  readonly view: View
  readonly corrections: readonly Corrected[]
}

export function Decisions({ view, corrections }: Props) {
  const { session, isHidden, zone, people } = view
  const penalties = (session?.seats ?? [])
    .flatMap((seat) => seat.penalties.map((penalty) => ({ ...penalty, team: seat.name })))
    .toSorted((one, other) => one.at.localeCompare(other.at))
  if (isHidden || corrections.length + penalties.length === 0) return null
  return (
    <Section title={words('play.decisions')}>
      <ul className="lines">
        {corrections.map((each) => (
          <li key={each.guid} className={styles.decision}>
            <p className={each.undoneAt === null ? '' : styles.struck}>{correctionOf(each)}</p>
            <p className="muted small">
              <Instant at={each.createdAt} zone={zone} />
              {each.undoneAt !== null && (
                <>
                  , {words('play.taken-back')} <Instant at={each.undoneAt} zone={zone} />
                </>
              )}
            </p>
          </li>
        ))}
        {penalties.map(({ guid, team, type, game, user, name, reason, by, at, voidedAt, points }) => (
          <li key={guid} className={styles.decision}>
            <p className={voidedAt === null ? '' : styles.struck}>
              <bdi className="strong">{team}</bdi>: {words(`play.penalty-${type}`, { points: points ?? 0 })}
              {game !== null && <>, {words('play.of-game', { game })}</>}
              {(user !== null || name !== null) && (
                <>
                  , <bdi>{(user === null ? name : people.nameOf(user)) ?? ''}</bdi>
                </>
              )}
              . <span dir="auto">{reason}</span>
            </p>
            <p className="muted small">
              {by !== null && (
                <>
                  <bdi>{ownName(by)}</bdi>,{' '}
                </>
              )}
              <Instant at={at} zone={zone} />
              {voidedAt !== null && (
                <>
                  , {words('play.taken-back')} <Instant at={voidedAt} zone={zone} />
                </>
              )}
            </p>
          </li>
        ))}
      </ul>
    </Section>
  )
}
