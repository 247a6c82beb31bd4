import type { RestOfList } from '../data/every-page.ts'
import { words } from '../data/words.ts'
import { Failure, Said } from './loaded.tsx'

interface Paged {
  readonly error: Error | null
  readonly hasNextPage: boolean
  readonly isFetchingNextPage: boolean
  readonly isFetchNextPageError: boolean
  fetchNextPage(): Promise<unknown>
}

/** The rest of a list, a page at a time. What failed is said above the same button, which keeps the focus. (W17) */
export function More({ of }: { readonly of: Paged }) {
  return of.hasNextPage && <Next of={of} />
}

function Next({ of: { error, isFetchingNextPage, isFetchNextPageError, fetchNextPage } }: { readonly of: Paged }) {
  return (
    <div className="stack">
      {isFetchNextPageError && error !== null && (
        <div className="notice notice-alert" role="alert">
          <Said error={error} />
        </div>
      )}
      <p>
        <button type="button" className="btn" aria-disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {words(isFetchNextPageError ? 'state.again' : 'list.more')}
        </button>
      </p>
    </div>
  )
}

/** Says of a list that is read to its end that the rest has failed. */
export function Rest({ of }: { readonly of: RestOfList }) {
  return of.error !== null && <Failure {...of} error={of.error} />
}
