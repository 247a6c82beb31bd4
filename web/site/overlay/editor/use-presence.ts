import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import type { UserCard } from '../../../../client/generated.ts'
import { epochOfLive, live } from '../../data/live.ts'
import { useRead, useReader } from '../../data/queries.ts'
import { staffAddress } from '../../data/tournament.ts'
import { words } from '../../data/words.ts'

/** Who else edits, and what they have chosen. The service says who somebody is; the page says only where. (RT22) */

export interface Other {
  readonly connection: string
  readonly name: string
  /** Number of their colour, from 1. */
  readonly color: number
  readonly scene: string | null
  readonly selection: readonly string[]
}

interface Present {
  readonly user: string | null
  readonly connection: string | null
  readonly scene: string | null
  readonly selection: readonly string[] | null
}

/** The service forgets who has not said so for 45 seconds. */
const renewMs = 20_000
const maxSelected = 50
const colors = 4

interface Where {
  readonly scene: string | null
  readonly selection: readonly string[]
  readonly mayEdit: boolean
}

export function usePresence(
  topic: string,
  { scene, selection, mayEdit }: Where,
  people: { readonly tournament: string; readonly editors: readonly UserCard[] },
): readonly Other[] {
  const epoch = useSyncExternalStore(epochOfLive.subscribe, epochOfLive.get)
  const { user } = useReader()
  const staff = useRead(staffAddress(people.tournament)).data
  const [present, setPresent] = useState<readonly Present[]>([])
  const chosen = selection.slice(0, maxSelected).join(' ')
  useEffect(() => {
    if (epoch === null || !mayEdit || scene === null) return
    const selection = chosen === '' ? [] : chosen.split(' ')
    const say = () => live().publish(topic, 'connection', { scene, selection, cursor: null })
    say()
    const timer = setInterval(say, renewMs)
    return () => clearInterval(timer)
  }, [epoch, topic, scene, chosen, mayEdit])
  useEffect(() => {
    if (epoch === null || !mayEdit) return
    const end = live()
      .live<Present>(topic)
      .subscribe(({ value }) => setPresent(Object.values(value ?? {})))
    return () => {
      live().publish(topic, 'connection', null)
      end()
    }
  }, [epoch, topic, mayEdit])
  const { editors } = people
  return useMemo(() => {
    const names = new Map(
      [...(staff ?? []).flatMap(({ users }) => users), ...editors].map((each) => [each.guid, each.preferredName]),
    )
    // One may edit in two windows: the own one cannot be told apart, so that all of the reader are left out.
    return present
      .filter((each) => each.user !== user?.guid)
      .toSorted((one, other) => ((one.connection ?? '') < (other.connection ?? '') ? -1 : 1))
      .map((each, at) => ({
        connection: each.connection ?? String(at),
        name: names.get(each.user ?? '') ?? words('cockpit.somebody'),
        color: (at % colors) + 1,
        scene: each.scene,
        selection: each.selection ?? [],
      }))
  }, [present, staff, editors, user])
}
