/** Declares the style sheets that a view imports. Vite loads them together with the view. */
declare module '*.css';
