import styles from './key.module.css'

/** The key that presses a button, where there is a keyboard to expect. */
export const Key = ({ of }: { readonly of: string }) => (
  <span className="only-wide" aria-hidden="true">
    <kbd className={styles.key}>{of.toUpperCase()}</kbd>
  </span>
)
