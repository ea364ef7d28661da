/** A file whose text is taken into the bundle as it is. */
declare module "*?raw" {
  const text: string;
  export default text;
}
