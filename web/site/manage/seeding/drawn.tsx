import { useMemo } from 'react'
import type { BracketWithMatches, TeamReference } from '../../../../client/generated.ts'
import { words } from '../../data/words.ts'
import { groupName } from '../../parts/bracket/groups.ts'
import { Section } from '../../parts/section.tsx'
import { colorOf } from '../../parts/team.tsx'
import { firstMatches, placesOf } from '../bracket-places.ts'
import { indexesOf, type Order, type Place } from './order.ts'
import styles from './seeding.module.css'

/** What the order makes: the first round of a tree or a Swiss bracket, or the groups. */

interface Props {
  readonly bracket: BracketWithMatches
  readonly places: readonly Place[]
  readonly order: Order
  readonly saved: Order
  readonly known: ReadonlyMap<string, TeamReference>
  readonly isCompared: boolean
}

/** So many entrants make a first round that a screen holds. */
const mostInSight = 32

export function Drawn(props: Props) {
  const { bracket } = props
  const isGroups = bracket.format === 'round_robin'
  return (
    <div className={bracket.entrants.length <= mostInSight ? styles.short : ''}>
      <Section
        title={words(isGroups ? 'seeding.groups' : 'seeding.drawn')}
        beside={<span className="small muted">{words(`seeding.note-${noteOf(bracket)}`)}</span>}
      >
        {isGroups ? <Groups {...props} /> : <Pairs {...props} />}
      </Section>
    </div>
  )
}

function noteOf({ format, settings }: BracketWithMatches) {
  if (format === 'round_robin') return 'groups'
  if (format === 'swiss') return 'swiss'
  return settings.seedOrdering === 'standard' ? 'standard' : 'natural'
}

function Pairs({ bracket, ...held }: Props) {
  const { entrants, format, settings, rounds, matches } = bracket
  const first = useMemo(() => {
    const shape = { entrants, format, settings, rounds, matches }
    const places = placesOf(shape)
    return firstMatches(shape).map((match) => ({ match, slots: places.get(match.guid) ?? ([null, null] as const) }))
  }, [entrants, format, settings, rounds, matches])
  return (
    <ol className={styles.drawn}>
      {first.map(({ match, slots: [one, other] }) => (
        <li key={match.guid}>
          <span className="code">
            <span className="unseen">{words('match.match')} </span>
            {match.number}
          </span>
          <span className={styles.sides}>
            <Holder slot={one} {...held} />
            <span className="unseen">{words('match.against')}</span>
            <Holder slot={other} {...held} />
          </span>
        </li>
      ))}
    </ol>
  )
}

function Groups({ bracket, ...held }: Props) {
  const { entrants, format, settings, rounds, matches } = bracket
  const groups = useMemo(() => {
    const shape = { entrants, format, settings, rounds, matches }
    const places = placesOf(shape)
    const members = new Map<number, Set<number>>()
    for (const { guid, groupIndex } of firstMatches(shape))
      for (const slot of places.get(guid) ?? []) {
        const group = groupIndex ?? 0
        if (slot !== null) members.set(group, (members.get(group) ?? new Set()).add(slot))
      }
    return [...members].toSorted(([one], [other]) => one - other)
  }, [entrants, format, settings, rounds, matches])
  return (
    <div className={styles.groups}>
      {groups.map(([group, slots]) => (
        <div key={group}>
          <h3>{words('standings.group', { group: groupName(group) })}</h3>
          <ol className="lines">
            {held.places
              .filter(({ slot }) => slots.has(slot))
              .map(({ slot }) => (
                <li key={slot}>
                  <Holder slot={slot} {...held} />
                </li>
              ))}
          </ol>
        </div>
      ))}
    </div>
  )
}

interface HolderProps extends Omit<Props, 'bracket'> {
  readonly slot: number | null
}

/** Who holds a place now, with its seed, and with the one from before where that is another. */
function Holder({ slot, places, order, saved, known, isCompared }: HolderProps) {
  if (slot === null) return <span className={`${styles.holder} muted`}>{words('match.bye')}</span>
  const at = places.findIndex((place) => place.slot === slot)
  const guid = order[at] ?? null
  const team = known.get(guid ?? '')
  const was = guid === null ? undefined : indexesOf(saved).get(guid)
  const isMoved = isCompared && saved[at] !== guid
  return (
    <span className={`${styles.holder} ${isMoved ? styles.moved : ''}`} style={colorOf(team ?? null)}>
      <span className="code">{places[at]?.seed}</span>{' '}
      {team === undefined ? <span className="muted">{words('seeding.empty')}</span> : <bdi>{team.name}</bdi>}
      {isMoved && was !== undefined && (
        <span className={styles.before}>{words('seeding.was', { seed: places[was]?.seed ?? was + 1 })}</span>
      )}
    </span>
  )
}
