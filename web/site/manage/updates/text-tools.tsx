import { useRef } from 'react'
import { words } from '../../data/words.ts'
import styles from './updates.module.css'

/** Buttons that put Markdown around what is marked in the text below them. */
export function TextTools({ change }: { readonly change: (text: string) => void }) {
  const place = useRef<HTMLFieldSetElement>(null)
  const put = (of: (marked: string) => { readonly text: string; readonly from: number; readonly to: number }) => {
    const field = place.current?.parentElement?.querySelector('textarea')
    if (!field) return
    const { selectionStart, selectionEnd, value } = field
    const { text, from, to } = of(value.slice(selectionStart, selectionEnd))
    change(value.slice(0, selectionStart) + text + value.slice(selectionEnd))
    field.focus()
    // Once the field has the new text.
    requestAnimationFrame(() => field.setSelectionRange(selectionStart + from, selectionStart + to))
  }
  const around = (mark: string, example: string) =>
    put((marked) => {
      const inside = marked === '' ? example : marked
      return { text: `${mark}${inside}${mark}`, from: mark.length, to: mark.length + inside.length }
    })
  const list = () =>
    put((marked) => {
      const text = (marked === '' ? words('composer.item') : marked).replace(/^/gm, '- ')
      return { text, from: 2, to: text.length }
    })
  const link = () =>
    put((marked) => {
      const label = marked === '' ? words('composer.link-text') : marked
      const address = 'https://'
      return { text: `[${label}](${address})`, from: label.length + 3, to: label.length + 3 + address.length }
    })
  return (
    <fieldset ref={place} aria-label={words('composer.tools')} className={`btns ${styles.tools}`}>
      <button type="button" className="btn" onClick={() => around('**', words('composer.bold-text'))}>
        {words('composer.bold')}
      </button>
      <button type="button" className="btn" onClick={list}>
        {words('composer.list')}
      </button>
      <button type="button" className="btn" onClick={link}>
        {words('composer.link')}
      </button>
    </fieldset>
  )
}
