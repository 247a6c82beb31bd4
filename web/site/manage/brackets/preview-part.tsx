import type { NewBracketWithMatches } from '../../data/generated.ts'
import { words } from '../../data/words.ts'
import { groupName } from '../../parts/bracket/groups.ts'
import { StateIcon } from '../../parts/icon.tsx'
import { Blocks, Failure } from '../../parts/loaded.tsx'
import { Section } from '../../parts/section.tsx'
import styles from './brackets.module.css'
import { Drawing } from './drawing.tsx'
import { hoursOf, type Length } from './length.ts'

/** What would be made: numbers, what is worth a look, and the drawing. */

interface Props {
  readonly bracket: NewBracketWithMatches | undefined
  readonly length: Length | undefined
  readonly atOnce: number
  readonly error: Error | null
  /** Something newer is on its way. */
  readonly isOld: boolean
  readonly again: () => void
}

export function Preview({ bracket, length, atOnce, error, isOld, again }: Props) {
  return (
    <Section
      title={words('draw.preview')}
      beside={
        <span role="status" className="muted">
          {isOld && bracket !== undefined ? words('draw.renewing') : ''}
        </span>
      }
    >
      {error !== null && <Failure error={error} again={again} />}
      {error === null && bracket === undefined && <Blocks rows={6} />}
      {error === null && bracket !== undefined && length !== undefined && (
        <div className={`stack ${styles.preview}`}>
          <dl className={styles.numbers}>
            <Figure
              value={String(bracket.entrants.length)}
              word={words('draw.number-teams', { count: bracket.entrants.length })}
            />
            <Figure value={String(length.matches)} word={words('draw.number-matches', { count: length.matches })} />
            <Figure value={String(length.rounds)} word={words('draw.number-rounds', { count: length.rounds })} />
            <Figure value={hoursOf(length.minutes)} word={words('draw.number-hours', { count: atOnce })} />
          </dl>
          <ul className={styles.notes}>
            {length.conditional > 0 && <li>{words('draw.note-conditional', { count: length.conditional })}</li>}
            {bracket.format === 'swiss' && <li>{words('draw.note-swiss')}</li>}
            {bracket.rematches?.map(({ number, groupIndex, teams: [one, other] }) => (
              <li key={number} className={styles.warning}>
                <StateIcon name="problem" />
                {words('draw.note-rematch', {
                  number,
                  one: one?.name ?? '',
                  other: other?.name ?? '',
                  group: groupName(groupIndex),
                })}
              </li>
            ))}
          </ul>
          <Drawing bracket={bracket} />
        </div>
      )}
    </Section>
  )
}

function Figure({ value, word }: { readonly value: string; readonly word: string }) {
  return (
    <div>
      <dt>{word}</dt>
      <dd className="num">{value}</dd>
    </div>
  )
}
