import { useEffect, useState } from 'react'
import { words } from '../data/words.ts'
import { Icon } from './icon.tsx'

/** Puts a text into the clipboard, and says so. Browsers allow it on safe connections alone; elsewhere it is not there. */
export function CopyButton({
  text,
  label,
  isQuiet = false,
}: {
  readonly text: string
  /** What the button does, for those who do not see what it stands beside. */
  readonly label: string
  readonly isQuiet?: boolean
}) {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), 2_000)
    return () => clearTimeout(timer)
  }, [isCopied])
  if (!isSecureContext) return null
  return (
    <>
      <button
        type="button"
        className={isQuiet ? 'btn btn-quiet btn-icon' : 'btn'}
        aria-label={label}
        title={label}
        onClick={() => void navigator.clipboard.writeText(text).then(() => setCopied(true))}
      >
        <Icon name={isCopied ? 'done' : 'copy'} />
        {!isQuiet && words(isCopied ? 'copy.done' : 'copy.do')}
      </button>
      <span className="unseen" role="status">
        {isCopied && words('copy.done')}
      </span>
    </>
  )
}
