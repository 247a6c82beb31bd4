import styles from './flows.module.css'

/** A part of a sentence that can be chosen: a list of the browser lies over its words, so that the sentence stays one. */
export function Choosable<Value extends string>({
  label,
  text,
  value,
  options,
  choose,
  isQuiet = false,
}: {
  /** What the part is, for those who hear it. */
  readonly label: string
  /** As the sentence has it. */
  readonly text: string
  readonly value: Value
  readonly options: readonly (readonly [value: Value, text: string])[]
  readonly choose: (value: Value) => void
  readonly isQuiet?: boolean
}) {
  const isKnown = options.some(([each]) => each === value)
  return (
    <span className={`${styles.slot} ${isQuiet ? styles.quiet : ''}`}>
      <span aria-hidden="true">{text}</span>
      <select aria-label={label} value={value} onChange={({ target }) => choose(target.value as Value)}>
        {!isKnown && <option value={value}>{text}</option>}
        {options.map(([each, said]) => (
          <option key={each} value={each}>
            {said}
          </option>
        ))}
      </select>
    </span>
  )
}
