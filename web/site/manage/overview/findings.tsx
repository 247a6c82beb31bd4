import type { TournamentFinding } from '../../../../client/generated.ts'
import type { Read } from '../../data/queries.ts'
import { words } from '../../data/words.ts'
import { StateIcon } from '../../parts/icon.tsx'
import { Empty, Loaded } from '../../parts/loaded.tsx'
import { Section } from '../../parts/section.tsx'
import { ActLink } from '../act-link.tsx'
import styles from './overview.module.css'

/** What is wrong in the tournament, or will be, each with the way to where it is put right. */
export function Findings({ of }: { readonly of: Read<readonly TournamentFinding[]> }) {
  return (
    <Section title={words('manage.warnings')}>
      <Loaded of={of} rows={3}>
        {(findings) =>
          findings.length === 0 ? (
            <Empty>{words('manage.no-warnings')}</Empty>
          ) : (
            <ul className="lines">
              {findings.map(({ code, severity, subject, message, action }) => (
                <li key={`${code} ${subject.guid}`} className={`${styles.line} ${styles[severity]}`}>
                  <StateIcon name="problem" />
                  <p>
                    <span className="unseen">{words(`manage.severity-${severity}`)}</span>
                    <bdi>{message}</bdi>
                  </p>
                  <ActLink act={action}>{words('manage.put-right')}</ActLink>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  )
}
