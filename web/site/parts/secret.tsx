import { useState } from 'react'
import { words } from '../data/words.ts'
import { CopyButton } from './copy.tsx'
import styles from './secret.module.css'

/** A secret: covered until it is asked for, to be copied without being shown, and kept by no page. */
export function Secret({ name, text }: { readonly name: string; readonly text: string }) {
  const [isShown, setShown] = useState(false)
  return (
    <span className={styles.secret}>
      <span className="code">{isShown ? text : '•'.repeat(12)}</span>
      <button type="button" className="btn btn-quiet" aria-pressed={isShown} onClick={() => setShown(!isShown)}>
        {words(isShown ? 'secret.hide' : 'secret.show')}
        <span className="unseen"> {name}</span>
      </button>
      <CopyButton text={text} label={words('secret.copy', { name })} isQuiet />
    </span>
  )
}
