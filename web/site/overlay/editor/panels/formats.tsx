import type { Binding } from '../../../../../src/engine/scenes/document.ts'
import { type FormatField, fieldsOf } from '../../../../../src/engine/scenes/formatter-fields.ts'
import { type Format, formatters } from '../../../../../src/engine/scenes/formatters.ts'
import type { Plain } from '../../../../../src/engine/scenes/values.ts'
import { words } from '../../../data/words.ts'
import { CheckBox, ChoiceBox, NumberBox, TextBox } from './boxes.tsx'
import styles from './properties.module.css'

/** What a bound value goes through before it is shown: forms one after the other, each with its arguments. (OV3) */

const most = 4

interface Props {
  readonly binding: Binding
  readonly isShut: boolean
  readonly put: (next: Binding) => boolean
}

export function Formats({ binding, isShut, put }: Props) {
  const { format = [], ...rest } = binding
  const putAt = (at: number, next: Format | undefined) => {
    const all = next === undefined ? format.toSpliced(at, 1) : format.toSpliced(at, 1, next)
    return put(all.length === 0 ? rest : { ...rest, format: all })
  }
  // The last one is to be chosen: it keeps the focus when it is, since keys go through the choices.
  const shown = format.length < most && !(isShut && format.length > 0) ? [...format, null] : format
  return shown.map((each, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a form is known by its place alone
    <fieldset key={at} className={styles.format} aria-label={words('editor.form-of', { number: at + 1 })}>
      <NameOf
        number={at}
        name={each?.name}
        isShut={isShut}
        commit={(name) => putAt(at, name === undefined ? undefined : begun(name))}
      />
      {(each === null ? [] : (fieldsOf(each.name) ?? [])).map((field, place) => (
        <Argument
          key={field.name}
          field={field}
          value={each?.args?.[place] ?? null}
          isShut={isShut}
          commit={(value) => each !== null && putAt(at, withArgument(each, place, value))}
        />
      ))}
      {each?.name === 'map' && <p className="small muted">{words('editor.map-help')}</p>}
    </fieldset>
  ))
}

interface NameProps {
  readonly number: number
  readonly name: string | undefined
  readonly isShut: boolean
  readonly commit: (name: string | undefined) => boolean
}

function NameOf({ number, name, isShut, commit }: NameProps) {
  const all = Object.keys(formatters).map((each) => [each, words(`editor.form-${each as 'number'}`)] as const)
  // One of a newer service stays as it is.
  const isKnown = name === undefined || Object.hasOwn(formatters, name)
  return (
    <ChoiceBox
      label={words(number === 0 ? 'editor.shown-as' : 'editor.then-shown-as')}
      value={name}
      disabled={isShut}
      none={words(number === 0 ? 'editor.form-plain' : 'editor.form-none')}
      choices={isKnown ? all : [[name, name], ...all]}
      commit={commit}
    />
  )
}

/** A form with what it needs to change anything. */
function begun(name: string): Format {
  const args = (fieldsOf(name) ?? []).map((field) =>
    field.kind === 'choice' && field.usual === undefined ? (field.choices[0] ?? null) : null,
  )
  return { name, ...(args.some((each) => each !== null) && { args }) }
}

function withArgument({ name, args = [] }: Format, place: number, value: Plain): Format {
  const length = Math.max(args.length, place + 1)
  const all = Array.from({ length }, (_, at) => (at === place ? value : (args[at] ?? null)))
  const used = all.findLastIndex((each) => each !== null) + 1
  return used === 0 ? { name } : { name, args: all.slice(0, used) }
}

interface ArgumentProps {
  readonly field: FormatField
  readonly value: Plain
  readonly isShut: boolean
  readonly commit: (value: Plain) => boolean
}

function Argument({ field, value, isShut, commit }: ArgumentProps) {
  const label = words(`editor.arg-${field.name as 'decimals'}`)
  const common = { label, disabled: isShut }
  switch (field.kind) {
    case 'whole':
    case 'number':
      return (
        <NumberBox
          {...common}
          value={typeof value === 'number' ? value : undefined}
          otherwise={field.usual}
          commit={(number) => commit(number ?? null)}
        />
      )
    case 'yesNo':
      return (
        <CheckBox
          {...common}
          value={typeof value === 'boolean' ? value : field.usual}
          commit={(isOn) => commit(isOn === field.usual ? null : isOn)}
        />
      )
    case 'choice':
      return (
        <ChoiceBox
          {...common}
          value={value === null ? undefined : String(value)}
          choices={field.choices.map((each) => [each, words(`editor.arg-${each as 'upper'}`)])}
          commit={(choice) => commit(choice ?? null)}
        />
      )
    case 'text':
      // What is before or after a value may begin or end with a space.
      return (
        <TextBox
          {...common}
          isExact
          value={value === null ? '' : String(value)}
          commit={(text) => commit(text === '' ? null : text)}
        />
      )
  }
}
