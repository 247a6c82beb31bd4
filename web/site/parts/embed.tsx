import { useId, useState } from 'react'
import { type WordId, words } from '../data/words.ts'
import { CopyButton } from './copy.tsx'
import styles from './embed.module.css'
import { Icon } from './icon.tsx'

/** The code with which another website shows a part of this one. */

type Theme = 'system' | 'light' | 'dark'

const themes: readonly (readonly [Theme, WordId])[] = [
  ['system', 'look.system'],
  ['light', 'look.light'],
  ['dark', 'look.dark'],
]

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string): string => text.replace(/[&<>"]/g, (each) => escapes[each] ?? each)

function codeOf(path: string, title: string, theme: Theme): string {
  const { href } = new URL(theme === 'system' ? path : `${path}?theme=${theme}`, location.origin)
  return `<iframe src="${escaped(href)}" title="${escaped(title)}" width="100%" height="720" style="border: 0" loading="lazy"></iframe>`
}

export function EmbedButton({ path, title }: { readonly path: string; readonly title: string }) {
  const id = useId()
  const [theme, setTheme] = useState<Theme>('system')
  const code = codeOf(path, title, theme)
  return (
    <>
      <button type="button" className="btn" popoverTarget={id}>
        <Icon name="code" />
        {words('embed.do')}
      </button>
      <div id={id} popover="auto" className={styles.layer} role="dialog" aria-labelledby={`${id}-title`}>
        <h2 id={`${id}-title`}>{words('embed.title')}</h2>
        <p>{words('embed.how')}</p>
        <fieldset className={styles.themes}>
          <legend>{words('look.theme')}</legend>
          {themes.map(([value, word]) => (
            <label key={value}>
              <input type="radio" name={id} checked={theme === value} onChange={() => setTheme(value)} />
              {words(word)}
            </label>
          ))}
        </fieldset>
        <textarea
          className={`in ${styles.code}`}
          readOnly
          rows={6}
          value={code}
          spellCheck={false}
          aria-label={words('embed.code')}
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
        <div className="btns">
          <CopyButton text={code} label={words('embed.copy')} />
          <button type="button" className="btn" popoverTarget={id} popoverTargetAction="hide">
            {words('embed.close')}
          </button>
        </div>
      </div>
    </>
  )
}
