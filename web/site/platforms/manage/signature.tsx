import { Fragment } from 'react'
import { words } from '../../data/words.ts'
import { CopyButton } from '../../parts/copy.tsx'
import { Section } from '../../parts/section.tsx'
import styles from './manage.module.css'
import snippet from './verify.js?raw'

/** How a receiver tells that a message is from here. */
export function Signature() {
  return (
    <Section
      title={words('managing.signature')}
      beside={<CopyButton text={snippet} label={words('managing.copy-snippet')} />}
    >
      <p className={styles.intro}>{words('managing.signature-what')}</p>
      <dl className="facts">
        {(['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const).map((header) => (
          <Fragment key={header}>
            <dt className="code">{header}</dt>
            <dd>{words(`managing.header-${header}`)}</dd>
          </Fragment>
        ))}
      </dl>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys */}
      <section className={`wide-content ${styles.snippet}`} tabIndex={0} aria-label={words('managing.snippet')}>
        <pre className="code">{snippet}</pre>
      </section>
    </Section>
  )
}
