interface ImportMeta {
  readonly env: { readonly PROD: boolean }
}
declare module '*.css'
/** The styles as text. */
declare module '*.css?inline' {
  const text: string
  export default text
}
/** A file as text. */
declare module '*?raw' {
  const text: string
  export default text
}
declare module '*.module.css' {
  const classes: Readonly<Record<string, string>>
  export default classes
}
