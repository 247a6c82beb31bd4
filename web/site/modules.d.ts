interface ImportMeta {
  readonly env: { readonly PROD: boolean }
}
declare module '*.css'
declare module '*.module.css' {
  const classes: Readonly<Record<string, string>>
  export default classes
}
