import { Autocomplete } from '@base-ui/react/autocomplete'
import { type ReactNode, useEffect, useState } from 'react'
import type { UserCard } from '../../../client/generated.ts'
import { type Address, address } from '../data/api.ts'
import { useRead } from '../data/queries.ts'
import { words } from '../data/words.ts'
import styles from './finder.module.css'
import type { FoundMap, FoundTeam, FoundTournament, Shared } from './finder.tsx'
import { Face } from './team.tsx'

/** A field that finds a record by what is typed; arrows and Enter choose, as in every list of suggestions. */

interface Props<Item, Body> extends Shared<Item> {
  readonly ask: (text: string) => Address<Body>
  readonly itemsOf: (body: Body) => readonly Item[]
  readonly nameOf: (item: Item) => string
  readonly children: (item: Item) => ReactNode
}

function Finder<Item extends { readonly guid: string }, Body>(props: Props<Item, Body>) {
  const { id, describedBy, placeholder, chosen, choose, ask, itemsOf, nameOf, children } = props
  const [text, setText] = useState('')
  const asked = useSettled(text.trim())
  const found = useRead(asked === '' || chosen !== null ? null : ask(asked))
  // What was found for less of the text is not what is meant.
  const isAsked = asked === text.trim()
  const items = found.data === undefined || !isAsked ? [] : itemsOf(found.data)
  return (
    <Autocomplete.Root
      mode="none"
      items={items}
      value={chosen === null ? text : nameOf(chosen)}
      itemToStringValue={nameOf}
      onValueChange={(value, { reason }) => {
        if (reason === 'item-press') return
        setText(value)
        choose(null)
      }}
    >
      <Autocomplete.Input
        id={id}
        aria-describedby={describedBy}
        className="in"
        placeholder={placeholder}
        dir="auto"
        autoComplete="off"
      />
      <Autocomplete.Portal>
        <Autocomplete.Positioner className={styles.positioner} sideOffset={4}>
          <Autocomplete.Popup className={styles.popup}>
            <Autocomplete.Status className={styles.status}>
              {found.isFetching || !isAsked
                ? words('state.loading')
                : asked !== '' && chosen === null && items.length === 0 && words('finder.none')}
            </Autocomplete.Status>
            <Autocomplete.List>
              {(item: Item) => (
                <Autocomplete.Item key={item.guid} value={item} className={styles.item} onClick={() => choose(item)}>
                  {children(item)}
                </Autocomplete.Item>
              )}
            </Autocomplete.List>
          </Autocomplete.Popup>
        </Autocomplete.Positioner>
      </Autocomplete.Portal>
    </Autocomplete.Root>
  )
}

const delayMs = 200

/** A text once it has not changed for a moment. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), delayMs)
    return () => clearTimeout(timer)
  }, [text])
  return text === '' ? '' : settled
}

/** A person, by the start of a name, an ID, or the address of a profile here. */
export function PersonField(props: Shared<UserCard>) {
  return (
    <Finder
      {...props}
      ask={(text) => address('/users', {}, { q: /\/u\/([^/?#]+)/.exec(text)?.[1] ?? text, limit: 8 })}
      itemsOf={({ users }) => users}
      nameOf={({ preferredName }) => preferredName}
    >
      {({ preferredName, username, avatarUrl }) => (
        <>
          <Face name={preferredName} picture={avatarUrl} />
          <bdi>{preferredName}</bdi>
          <bdi className="muted">{username}</bdi>
        </>
      )}
    </Finder>
  )
}

/** A team, with the tournament in which it plays. */
export function TeamField(props: Shared<FoundTeam>) {
  return (
    <Finder {...props} ask={(q) => address('/search', {}, { q })} itemsOf={({ teams }) => teams} nameOf={ownName}>
      {({ name, imageUrl, tournament }) => (
        <>
          <Face name={name} picture={imageUrl} isTeam />
          <bdi>{name}</bdi>
          <bdi className="muted">{tournament.name}</bdi>
        </>
      )}
    </Finder>
  )
}

export function TournamentField(props: Shared<FoundTournament>) {
  return (
    <Finder
      {...props}
      ask={(q) => address('/search', {}, { q })}
      itemsOf={({ tournaments }) => tournaments}
      nameOf={ownName}
    >
      {({ name }) => <bdi>{name}</bdi>}
    </Finder>
  )
}

const ownName = ({ name }: { readonly name: string }): string => name

/** A map of the archive. */
export function MapField(props: Shared<FoundMap>) {
  return (
    <Finder {...props} ask={(q) => address('/search', {}, { q })} itemsOf={({ maps }) => maps} nameOf={mapName}>
      {(map) => <bdi>{mapName(map)}</bdi>}
    </Finder>
  )
}

const mapName = ({ name, hash, difficulty }: FoundMap): string => `${name ?? hash} (${difficulty})`
