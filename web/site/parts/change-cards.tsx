import styles from './change-cards.module.css'

const textOf = (value: unknown) =>
  value === null || value === undefined ? '–' : typeof value === 'object' ? JSON.stringify(value) : String(value)

/** What changed, from what to what, as updates tell it. */
export function ChangeCards({ changes }: { readonly changes: readonly Readonly<Record<string, unknown>>[] }) {
  return (
    <dl className={styles.changes}>
      {changes.map((change, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: cards have no names of their own, and never change places
        <div key={at}>
          <dt dir="auto">{textOf(change.title ?? change.field ?? change.name)}</dt>
          <dd>
            <s dir="auto">{textOf(change.before)}</s> <span aria-hidden="true">→</span>{' '}
            <b dir="auto">{textOf(change.after)}</b>
          </dd>
        </div>
      ))}
    </dl>
  )
}
