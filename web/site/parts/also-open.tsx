import { useEffect, useState, useSyncExternalStore } from 'react'
import { epochOfLive, live } from '../data/live.ts'
import { useRead, useReader } from '../data/queries.ts'
import { staffAddress } from '../data/tournament.ts'
import { words } from '../data/words.ts'

/** Who else of the staff has the same open. The service says who somebody is; the page says only where. (RT22) */

interface Present {
  /** GUID. */
  readonly user: string | null
  readonly page?: string
  readonly record?: string
}

/** The service forgets who has not said so for 45 seconds. */
const renewMs = 20_000

interface Props {
  readonly tournament: string
  readonly page: 'cockpit' | 'control'
  /** GUID of what is open there. */
  readonly record: string
  readonly className?: string | undefined
}

export function AlsoOpen({ tournament, page, record, className = '' }: Props) {
  const { user } = useReader()
  const epoch = useSyncExternalStore(epochOfLive.subscribe, epochOfLive.get)
  const [others, setOthers] = useState<readonly string[]>([])
  const staff = useRead(staffAddress(tournament)).data ?? []
  const names = new Map(
    staff.flatMap(({ users }) => users.map((each) => [each.guid, each.preferredName || each.username])),
  )
  const own = user?.guid
  useEffect(() => {
    if (own === undefined || epoch === null) return
    const topic = `/tournaments/${tournament}/presence`
    const say = () => live().publish(topic, 'connection', { page, record })
    say()
    const timer = setInterval(say, renewMs)
    const end = live()
      .live(topic)
      .subscribe(({ value }) => {
        const here = Object.values((value ?? {}) as Readonly<Record<string, Present>>).filter(
          (each) => each.page === page && each.record === record,
        )
        setOthers([...new Set(here.flatMap((each) => (each.user === null || each.user === own ? [] : [each.user])))])
      })
    return () => {
      clearInterval(timer)
      live().publish(topic, 'connection', null)
      end()
    }
  }, [own, epoch, tournament, page, record])
  return (
    <p className={`muted ${className}`}>
      {others.length > 0 && (
        <>
          {words('cockpit.also')}{' '}
          <bdi className="strong">{others.map((each) => names.get(each) ?? words('cockpit.somebody')).join(', ')}</bdi>
        </>
      )}
    </p>
  )
}
