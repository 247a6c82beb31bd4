import type { TournamentWithParts } from '../../../../client/generated.ts'
import { words } from '../../data/words.ts'
import { Section } from '../../parts/section.tsx'
import styles from './announcements.module.css'

/** What keeps the channels quiet, whatever is set. */
export function Quiet({ tournament: { language, streamDelaySeconds } }: { readonly tournament: TournamentWithParts }) {
  return (
    <Section title={words('announcements.quiet')}>
      <ul className={styles.rules}>
        <li>{words('announcements.quiet-merged')}</li>
        <li>{words('announcements.quiet-times')}</li>
        <li>{words('announcements.quiet-corrected')}</li>
        <li>{words('announcements.quiet-mentions')}</li>
        <li>
          {streamDelaySeconds > 0
            ? words('announcements.quiet-delay', { seconds: streamDelaySeconds })
            : words('announcements.quiet-no-delay')}
        </li>
        <li>{words('announcements.quiet-language', { language })}</li>
      </ul>
    </Section>
  )
}
