import { useEffect, useState, useSyncExternalStore } from 'react'
import { epochOfLive, live } from '../../../data/live.ts'
import { useRead, useReader } from '../../../data/queries.ts'
import { staffAddress } from '../../../data/tournament.ts'
import { words } from '../../../data/words.ts'
import { ownName } from '../people.ts'
import styles from './cockpit.module.css'

/** Who else of the staff has the match open. The service says who somebody is; the page says only where. (RT22) */

interface Present {
  /** GUID. */
  readonly user: string | null
  readonly page?: string
  readonly record?: string
}

const page = 'cockpit'
/** The service forgets who has not said so for 45 seconds. */
const renewMs = 20_000

export function AlsoOpen({ tournament, match }: { readonly tournament: string; readonly match: string }) {
  const { user } = useReader()
  const epoch = useSyncExternalStore(epochOfLive.subscribe, epochOfLive.get)
  const [others, setOthers] = useState<readonly string[]>([])
  const staff = useRead(staffAddress(tournament)).data ?? []
  const names = new Map(staff.flatMap(({ users }) => users.map((each) => [each.guid, ownName(each)])))
  const own = user?.guid
  useEffect(() => {
    if (own === undefined || epoch === null) return
    const topic = `/tournaments/${tournament}/presence`
    const say = () => live().publish(topic, 'connection', { page, record: match })
    say()
    const timer = setInterval(say, renewMs)
    const end = live()
      .live(topic)
      .subscribe(({ value }) => {
        const here = Object.values((value ?? {}) as Readonly<Record<string, Present>>).filter(
          (each) => each.page === page && each.record === match,
        )
        setOthers([...new Set(here.flatMap((each) => (each.user === null || each.user === own ? [] : [each.user])))])
      })
    return () => {
      clearInterval(timer)
      live().publish(topic, 'connection', null)
      end()
    }
  }, [own, epoch, tournament, match])
  return (
    <p className={`muted ${styles.also}`}>
      {others.length > 0 && (
        <>
          {words('cockpit.also')}{' '}
          <bdi className="strong">{others.map((each) => names.get(each) ?? words('cockpit.somebody')).join(', ')}</bdi>
        </>
      )}
    </p>
  )
}
