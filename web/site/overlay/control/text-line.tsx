import { useId } from 'react'
import { words } from '../../data/words.ts'
import { Meanwhile } from '../../parts/form/fields.tsx'
import { useForm } from '../../parts/form/use-form.ts'
import { Section } from '../../parts/section.tsx'
import styles from './control.module.css'
import { useShown } from './shown.ts'

const mostLetters = 200

/** A line of text for the scenes that have room for one. */
export function TextLine() {
  const { overlay, control, acts } = useShown()
  const id = useId()
  const form = useForm({ key: `flavour-${overlay.guid}`, saved: { flavour: control.flavour } })
  const { flavour } = form.values
  const show = async (text: string) => {
    // What the other has written is compared at the field.
    if (await acts.send({ flavour: text })) form.settle({ flavour: text })
  }
  return (
    <Section
      title={<label htmlFor={id}>{words('control.text')}</label>}
      beside={<span className="muted">{words('control.letters', { count: flavour.length, most: mostLetters })}</span>}
    >
      <form
        className={styles.line}
        onSubmit={(event) => {
          event.preventDefault()
          void show(flavour)
        }}
      >
        <LineInput id={id} text={flavour} change={(text) => form.set('flavour', text)} />
        <button type="submit" className={`btn ${form.isChanged ? 'btn-primary' : ''}`} aria-disabled={!form.isChanged}>
          {words(flavour === '' && control.flavour !== '' ? 'control.remove-text' : 'control.show')}
        </button>
      </form>
      <Meanwhile form={form} name="flavour" show={(text) => String(text) || words('control.none')} />
    </Section>
  )
}

interface InputProps {
  readonly id: string
  readonly text: string
  readonly change: (text: string) => void
}

export function LineInput({ id, text, change }: InputProps) {
  return (
    <input
      id={id}
      className="in"
      dir="auto"
      autoComplete="off"
      maxLength={mostLetters}
      value={text}
      onChange={({ target }) => change(target.value)}
    />
  )
}
