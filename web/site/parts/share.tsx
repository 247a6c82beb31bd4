import { useRouterState } from '@tanstack/react-router'
import { words } from '../data/words.ts'
import { CopyButton } from './copy.tsx'
import { Icon } from './icon.tsx'

/** Shares the page by the means of the device; where the browser has none, copies its address. (W25) */
export function ShareButton() {
  const path = useRouterState({ select: ({ location }) => location.href })
  const url = new URL(path, location.origin).href
  if (typeof navigator.share !== 'function') return <CopyButton text={url} label={words('share.copy')} isQuiet />
  return (
    <button
      type="button"
      className="btn btn-quiet btn-icon"
      aria-label={words('share.do')}
      title={words('share.do')}
      // Readers who close the list of means have changed their mind.
      onClick={() => void navigator.share({ title: document.title, url }).catch(() => {})}
    >
      <Icon name="share" />
    </button>
  )
}
