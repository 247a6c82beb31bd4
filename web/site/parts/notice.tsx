import type { Notice } from '../../../client/generated.ts'
import { words } from '../data/words.ts'
import styles from './notice.module.css'
import { Prose } from './prose.tsx'

/** A notice as visitors see it. */
export function NoticeBar({ notice }: { readonly notice: Pick<Notice, 'title' | 'html' | 'link' | 'level'> }) {
  const { title, html, link, level } = notice
  const tone = { info: '', warning: 'notice-warning', critical: 'notice-alert' }[level]
  return (
    <div className={`notice ${tone} ${styles.notice}`}>
      <strong dir="auto">{title}</strong>
      {html !== undefined && <Prose html={html.content} />}
      {link !== null && (
        <a href={link} rel="nofollow noopener">
          {words('home.read-more')}
        </a>
      )}
    </div>
  )
}
