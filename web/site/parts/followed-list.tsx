import { type ReactNode, useState } from 'react'
import type { Address } from '../data/api.ts'
import { usePages, useRead } from '../data/queries.ts'
import { words } from '../data/words.ts'
import { Empty, Loaded } from './loaded.tsx'
import { More } from './more.tsx'

/** A list that is followed at its beginning; what is older comes by pages. */

interface Props<Body, Item> {
  readonly at: Address<Body>
  readonly itemsOf: (body: Body) => readonly Item[]
  readonly empty: ReactNode
  readonly rows?: number
  readonly children: (items: readonly Item[], isOld: boolean) => ReactNode
}

interface Paged {
  readonly nextCursor: string | null
}

export function FollowedList<Body extends Paged, Item>(props: Props<Body, Item>) {
  const { at, itemsOf, empty, rows = 6, children } = props
  const read = useRead(at, { live: true })
  return (
    <Loaded of={read} rows={rows}>
      {(body) => {
        const items = itemsOf(body)
        return (
          <>
            {items.length === 0 && body.nextCursor === null && <Empty>{empty}</Empty>}
            {items.length === 0 && body.nextCursor !== null && <Empty>{words('list.further')}</Empty>}
            {items.length > 0 && children(items, false)}
            {body.nextCursor !== null && <Rest key={at} {...props} start={body.nextCursor} />}
          </>
        )
      }}
    </Loaded>
  )
}

type RestProps<Body, Item> = Props<Body, Item> & { readonly start: string }

function Rest<Body extends Paged, Item>(props: RestProps<Body, Item>) {
  const [isWhole, setWhole] = useState(false)
  if (isWhole) return <Older {...props} />
  return (
    <p>
      <button type="button" className="btn" onClick={() => setWhole(true)}>
        {words('list.more')}
      </button>
    </p>
  )
}

/** What came before the part that is followed; new records do not move where it begins. */
function Older<Body extends Paged, Item>({ at, start, itemsOf, rows = 6, children }: RestProps<Body, Item>) {
  const [from] = useState(start)
  const pages = usePages(at, from)
  return (
    <Loaded of={{ ...pages, data: pages.data?.pages.flatMap(itemsOf) }} rows={rows}>
      {(items) => (
        <>
          {children(items, true)}
          <More of={pages} />
        </>
      )}
    </Loaded>
  )
}
