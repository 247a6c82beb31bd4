import { useId } from 'react'
import { type Preferences, prefer, usePreferences } from '../data/preferences.ts'
import { type WordId, words } from '../data/words.ts'

/** How pages look: kept in this browser alone. */

const themes: readonly (readonly [Preferences['theme'], WordId])[] = [
  ['system', 'look.system'],
  ['light', 'look.light'],
  ['dark', 'look.dark'],
]
const densities: readonly (readonly [Preferences['density'], WordId])[] = [
  ['comfortable', 'look.comfortable'],
  ['compact', 'look.compact'],
]

export function Look() {
  const { theme, density } = usePreferences()
  return (
    <>
      <Choice title={words('look.theme')} of={themes} chosen={theme} choose={(value) => prefer({ theme: value })} />
      <Choice
        title={words('look.density')}
        of={densities}
        chosen={density}
        choose={(value) => prefer({ density: value })}
      />
    </>
  )
}

function Choice<Value extends string>({
  title,
  of,
  chosen,
  choose,
}: {
  readonly title: string
  readonly of: readonly (readonly [Value, WordId])[]
  readonly chosen: Value
  readonly choose: (value: Value) => void
}) {
  const name = useId()
  return (
    <fieldset>
      <legend>{title}</legend>
      {of.map(([value, word]) => (
        <label key={value} className="choice">
          <input type="radio" name={name} checked={chosen === value} onChange={() => choose(value)} /> {words(word)}
        </label>
      ))}
    </fieldset>
  )
}
