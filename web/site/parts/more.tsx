import { words } from '../data/words.ts'

interface Paged {
  readonly hasNextPage: boolean
  readonly isFetchingNextPage: boolean
  fetchNextPage(): Promise<unknown>
}

/** The rest of a list, a page at a time. */
export function More({ of }: { readonly of: Paged }) {
  if (!of.hasNextPage) return null
  return (
    <p>
      <button type="button" className="btn" disabled={of.isFetchingNextPage} onClick={() => void of.fetchNextPage()}>
        {words('list.more')}
      </button>
    </p>
  )
}
