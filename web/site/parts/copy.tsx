import { useEffect, useState } from 'react'
import { words } from '../data/words.ts'
import { say } from './announcer.tsx'
import { Icon } from './icon.tsx'

/** Copies a text to the clipboard. Absent without a secure context, where browsers have no clipboard. */
export function CopyButton({
  text,
  label,
  shown = words('copy.do'),
  isQuiet = false,
}: {
  readonly text: string
  /** The name of the button for screen readers. */
  readonly label: string
  /** What it says, which its name contains. */
  readonly shown?: string
  readonly isQuiet?: boolean
}) {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    say(words('copy.done'))
    const timer = setTimeout(() => setCopied(false), 2_000)
    return () => clearTimeout(timer)
  }, [isCopied])
  if (!isSecureContext) return null
  return (
    <button
      type="button"
      className={isQuiet ? 'btn btn-quiet btn-icon' : 'btn'}
      aria-label={isCopied ? words('copy.done') : label}
      title={label}
      onClick={() => void navigator.clipboard.writeText(text).then(() => setCopied(true))}
    >
      <Icon name={isCopied ? 'done' : 'copy'} />
      {!isQuiet && (isCopied ? words('copy.done') : shown)}
    </button>
  )
}
