"""What a person sees on a page, and the redline that pages and terminal share. Pure: values in, text out."""
