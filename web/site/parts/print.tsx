import { type ReactNode, useSyncExternalStore } from 'react'
import { flushSync } from 'react-dom'
import { words } from '../data/words.ts'
import { Icon } from './icon.tsx'
import { offsetOf, ownZone } from './time.tsx'
import './print.css'

/** Pages on paper: without the bars of the website; each sheet says what it is, from when and from where. (W21) */

let printing: Date | null = null
const watchers = new Set<() => void>()

/** What is only on paper has to stand in the page before the browser takes it. */
function set(next: Date | null): void {
  printing = next
  flushSync(() => {
    for (const tell of watchers) tell()
  })
}
addEventListener('beforeprint', () => set(new Date()))
addEventListener('afterprint', () => set(null))

/** Since when the page is being printed; null while it is only looked at. */
export function usePrinting(): Date | null {
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    () => printing,
  )
}

const format = new Intl.DateTimeFormat('en-GB', {
  ...{ day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' },
  hourCycle: 'h23',
})

/** A page that prints with a header and a footer on every sheet. */
export function Printed({
  name,
  className,
  children,
}: {
  /** Whose page it is, such as the tournament. */
  readonly name?: string | undefined
  readonly className: string
  readonly children: ReactNode
}) {
  const at = usePrinting()
  return (
    <div className="printed">
      <div className="print-head">
        {at !== null && (
          <p>
            <span>
              {name !== undefined && <strong>{name}. </strong>}
              {document.querySelector('main h1')?.textContent}
            </span>
            <span>{words('frame.name')}</span>
          </p>
        )}
      </div>
      <div className={className}>{children}</div>
      <div className="print-foot">
        {at !== null && (
          <p>
            <span>{words('print.at', { time: format.format(at), offset: offsetOf(ownZone, at.getTime()) })}</span>
            <span>{`${location.origin}${location.pathname}${location.search}`}</span>
          </p>
        )}
      </div>
    </div>
  )
}

interface Paged {
  readonly hasNextPage: boolean
  readonly error: Error | null
  fetchNextPage(): Promise<Paged>
}

/** Loads the rest of a list, since paper has no button for it, and opens the browser's own dialog for printing. */
async function printWhole(list: Paged | undefined): Promise<void> {
  for (let pages = list; pages?.hasNextPage; ) {
    pages = await pages.fetchNextPage()
    if (pages.error !== null) break
  }
  requestAnimationFrame(() => print())
}

export function PrintButton({ isSmall = false, list }: { readonly isSmall?: boolean; readonly list?: Paged }) {
  return (
    <button
      type="button"
      className={`btn no-print ${isSmall ? 'btn-icon' : ''}`}
      aria-label={words('print.page')}
      onClick={() => void printWhole(list)}
    >
      <Icon name="print" />
      {!isSmall && words('print.page')}
    </button>
  )
}
